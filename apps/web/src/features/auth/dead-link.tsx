import type { ReactNode } from 'react'
import { Notice } from '../../components/notice.js'

/** Says that a mailed link cannot be used, with the way to a new one. */
export function DeadLink({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-6">
      <Notice tone="trouble" alert title="This link has expired or was used already.">
        A link can be used once, within a day. Nothing was changed.
      </Notice>
      {children}
    </div>
  )
}
