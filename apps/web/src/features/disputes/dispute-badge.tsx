import type { DisputeStatus } from '@holdfast/kernel/disputes'
import { type BadgeLooks, LooksBadge } from '../../components/badge.js'

const DISPUTE_BADGES: Record<DisputeStatus, BadgeLooks> = {
  open: { label: 'open', tone: 'trouble' },
  investigating: { label: 'investigating', tone: 'trouble' },
  resolved: { label: 'resolved' },
  closed: { label: 'closed', tone: 'done' },
}
export const DisputeBadge = ({ status }: { status: DisputeStatus }) => <LooksBadge looks={DISPUTE_BADGES[status]} />
