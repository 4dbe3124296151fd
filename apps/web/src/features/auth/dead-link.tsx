import type { ReactNode } from 'react'
import { Notice } from '../../components/notice.js'

/** Says that a mailed link cannot be used, what follows from it, and which way goes on. */
export function DeadLink({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-6">
      <Notice tone="trouble" alert title="This link has expired or was used already.">
        {text}
      </Notice>
      {children}
    </div>
  )
}
