import type { DealStatus } from '@holdfast/kernel/deals'
import { type BadgeLooks, StatusBadge } from '../../../components/badge.js'

/**
 * Green only while the money is held safe. Amber is on no badge: it means "your turn", and a status does not know who
 * reads it.
 */
const BADGES: Record<DealStatus, BadgeLooks> = {
  pending: {},
  // The funds have arrived and can still be taken back: they are not safe yet.
  secured: {},
  in_progress: { tone: 'held' },
  paid: { tone: 'held' },
  shipped: { tone: 'held' },
  delivered: { tone: 'held' },
  inspection: { tone: 'held' },
  released: { tone: 'done' },
  completed: { tone: 'done' },
  cancelled: {},
  disputed: { tone: 'trouble' },
}

export function DealBadge({ status }: { status: DealStatus }) {
  return <StatusBadge status={status} looks={BADGES[status]} />
}
