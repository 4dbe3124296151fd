import type { DealStatus } from '@holdfast/kernel/deals'
import { Badge, type BadgeLooks } from '../../../components/badge.js'

/**
 * Green only while the money is held safe. Amber is on no badge: it means "your turn", and a status does not know who
 * reads it.
 */
const BADGES: Record<DealStatus, BadgeLooks> = {
  pending: { label: 'Pending' },
  // The funds have arrived and can still be taken back: they are not safe yet.
  secured: { label: 'Secured' },
  in_progress: { label: 'In Progress', tone: 'held' },
  paid: { label: 'Paid', tone: 'held' },
  shipped: { label: 'Shipped', tone: 'held' },
  delivered: { label: 'Delivered', tone: 'held' },
  inspection: { label: 'Inspection', tone: 'held' },
  released: { label: 'Released', tone: 'done' },
  completed: { label: 'Completed', tone: 'done' },
  cancelled: { label: 'Cancelled' },
  disputed: { label: 'Disputed', tone: 'trouble' },
}

export function DealBadge({ status }: { status: DealStatus }) {
  const { label, ...looks } = BADGES[status]
  return <Badge {...looks}>{label}</Badge>
}
