import type { DisputeStatus } from '@holdfast/kernel/disputes'
import { Badge, type BadgeLooks } from '../../components/badge.js'

/** Shown as the server writes them (spec section 4). */
const BADGES: Record<DisputeStatus, BadgeLooks> = {
  open: { label: 'open', tone: 'trouble' },
  investigating: { label: 'investigating', tone: 'trouble' },
  resolved: { label: 'resolved' },
  closed: { label: 'closed', tone: 'done' },
}

export function DisputeBadge({ status }: { status: DisputeStatus }) {
  const { label, ...looks } = BADGES[status]
  return <Badge {...looks}>{label}</Badge>
}
