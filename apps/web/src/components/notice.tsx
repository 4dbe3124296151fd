import { CircleAlert, Info, Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../lib/class-names.js'

export type NoticeTone = 'plain' | 'held' | 'needs' | 'trouble'

const TONES = {
  plain: { icon: Info, box: 'border-rule bg-sunken', mark: 'text-ink-soft' },
  held: { icon: Lock, box: 'border-held-edge bg-held-soft', mark: 'text-held' },
  needs: { icon: TriangleAlert, box: 'border-needs-edge bg-needs-soft', mark: 'text-needs' },
  trouble: { icon: CircleAlert, box: 'border-trouble-edge bg-trouble-soft', mark: 'text-trouble' },
} as const

interface NoticeProps {
  tone?: NoticeTone
  title?: string
  children?: ReactNode
  /** Buttons or links under the words. */
  action?: ReactNode
  /** True for what appears because something just failed: screen readers announce it at once. */
  alert?: boolean
}

/** Something to know before going on, in the flow of the page. */
export function Notice({ tone = 'plain', title, children, action, alert }: NoticeProps) {
  const { icon: Icon, box, mark } = TONES[tone]
  return (
    <div role={alert ? 'alert' : undefined} className={classes('flex gap-3 rounded-lg border p-4', box)}>
      <Icon aria-hidden="true" className={classes('mt-0.5 size-5 shrink-0', mark)} />
      <div className="min-w-0">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-ink-soft">{children}</div>}
        {action && <div className="mt-3 flex flex-wrap gap-3">{action}</div>}
      </div>
    </div>
  )
}
