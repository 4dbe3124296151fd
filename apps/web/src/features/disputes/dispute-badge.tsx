import type { DisputeStatus } from '@holdfast/kernel/disputes'
import { type BadgeLooks, StatusBadge } from '../../components/badge.js'

const BADGES: Record<DisputeStatus, BadgeLooks> = {
  open: { tone: 'trouble' },
  investigating: { tone: 'trouble' },
  resolved: {},
  closed: { tone: 'done' },
}

export function DisputeBadge({ status }: { status: DisputeStatus }) {
  return <StatusBadge status={status} looks={BADGES[status]} />
}
