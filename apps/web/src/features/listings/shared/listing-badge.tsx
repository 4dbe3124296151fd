import type { ListingStatus } from '@holdfast/kernel/listings'
import { Badge, type BadgeLooks } from '../../../components/badge.js'

/** Shown as the server writes them (spec section 4). */
const BADGES: Record<ListingStatus, BadgeLooks> = {
  active: { label: 'active', tone: 'done' },
  reserved: { label: 'reserved' },
  sold: { label: 'sold' },
  inactive: { label: 'inactive' },
}

export function ListingBadge({ status }: { status: ListingStatus }) {
  const { label, ...looks } = BADGES[status]
  return <Badge {...looks}>{label}</Badge>
}
