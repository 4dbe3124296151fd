import type { DealStatus } from '@holdfast/kernel/deals'
import type { ReactNode } from 'react'
import { classes } from '../lib/class-names.js'

/** `near` and `sent` are for parcels alone. */
export type BadgeTone = 'neutral' | 'held' | 'needs' | 'trouble' | 'done' | 'near' | 'sent'

const TONES: Record<BadgeTone, string> = {
  neutral: 'border-rule bg-sunken text-ink-soft',
  held: 'border-held-edge bg-held-soft text-held',
  needs: 'border-needs-edge bg-needs-soft text-needs',
  trouble: 'border-trouble-edge bg-trouble-soft text-trouble',
  done: 'border-ink bg-ink text-on-ink',
  near: 'border-near-edge bg-near-soft text-near',
  sent: 'border-sent-edge bg-sent-soft text-sent',
}

/** One or two words about a thing's state. Never alone: whose turn it is says more. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-sm border px-1.5 text-xs/5 font-semibold whitespace-nowrap [&_svg]:size-3',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}

export const STATUS_LABELS: Record<DealStatus, string> = {
  pending: 'Pending',
  secured: 'Secured',
  in_progress: 'In Progress',
  paid: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  inspection: 'Inspection',
  released: 'Released',
  completed: 'Completed',
  cancelled: 'Cancelled',
  disputed: 'Disputed',
}

// Green while the money is held, ink when it is done. Amber is not among them: it means "needs you", and a status does not
// know who reads it; the sentence beside it does.
const STATUS_TONES: Record<DealStatus, BadgeTone> = {
  pending: 'neutral',
  secured: 'held',
  in_progress: 'held',
  paid: 'held',
  shipped: 'held',
  delivered: 'held',
  inspection: 'held',
  released: 'done',
  completed: 'done',
  cancelled: 'neutral',
  disputed: 'trouble',
}

export function StatusBadge({ status }: { status: DealStatus }) {
  return <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
}
