import type { ListingStatus } from '@holdfast/kernel/listings'
import { type BadgeLooks, StatusBadge } from '../../../components/badge.js'

const BADGES: Record<ListingStatus, BadgeLooks> = {
  active: { tone: 'done' },
  reserved: {},
  sold: {},
  inactive: {},
}

export function ListingBadge({ status }: { status: ListingStatus }) {
  return <StatusBadge status={status} looks={BADGES[status]} />
}
