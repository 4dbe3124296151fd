import type { ReactNode } from 'react'
import { classes } from '../lib/class-names.js'

/** A sheet on the page, for what must stand out from the reading flow. Sparingly, and never inside another. */
export function Panel({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classes('rounded-lg border border-rule bg-surface p-5 sm:p-7', className)}>{children}</div>
}
