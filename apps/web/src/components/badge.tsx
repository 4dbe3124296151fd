import type { ReactNode } from 'react'
import { classes } from '../lib/class-names.js'

export type BadgeTone = 'neutral' | 'held' | 'trouble' | 'done'

const TONES: Record<BadgeTone, string> = {
  neutral: 'border-rule bg-sunken text-ink-soft',
  held: 'border-held-edge bg-held-soft text-held',
  trouble: 'border-trouble-edge bg-trouble-soft text-trouble',
  done: 'border-ink bg-ink text-on-ink',
}

export type BadgeDot = 'grey' | 'green' | 'yellow' | 'blue' | 'purple' | 'red'

const DOTS: Record<BadgeDot, string> = {
  grey: 'bg-dot-grey',
  green: 'bg-dot-green',
  yellow: 'bg-dot-yellow',
  blue: 'bg-dot-blue',
  purple: 'bg-dot-purple',
  red: 'bg-dot-red',
}

interface BadgeProps {
  tone?: BadgeTone
  /** A colour that says nothing about money or whose turn it is. */
  dot?: BadgeDot
  children: ReactNode
}

/** How a status looks on a badge: each domain has one table of them. */
export interface BadgeLooks extends Omit<BadgeProps, 'children'> {
  /** The words on the badge; the status itself when left out. */
  readonly label?: string
}

/** A word of the server as people write it: `in_progress` is "In Progress". */
export const humanCase = (status: string): string =>
  status
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

export function StatusBadge({ status, looks: { label, ...looks } }: { status: string; looks: BadgeLooks }) {
  return <Badge {...looks}>{label ?? humanCase(status)}</Badge>
}

/** One or two words about a thing's state. Never alone: whose turn it is says more. */
export function Badge({ tone = 'neutral', dot, children }: BadgeProps) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-sm border px-1.5 text-xs/5 font-semibold whitespace-nowrap [&_svg]:size-3',
        TONES[tone],
      )}
    >
      {dot && <span aria-hidden="true" className={classes('size-2 rounded-full', DOTS[dot])} />}
      {children}
    </span>
  )
}
