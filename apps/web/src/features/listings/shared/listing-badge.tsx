import type { ListingStatus } from '@holdfast/kernel/listings'
import { type BadgeLooks, LooksBadge } from '../../../components/badge.js'

/** Shown as the server writes them (spec section 4). */
const LISTING_BADGES: Record<ListingStatus, BadgeLooks> = {
  active: { label: 'active', tone: 'done' },
  reserved: { label: 'reserved' },
  sold: { label: 'sold' },
  inactive: { label: 'inactive' },
}
export const ListingBadge = ({ status }: { status: ListingStatus }) => <LooksBadge looks={LISTING_BADGES[status]} />
