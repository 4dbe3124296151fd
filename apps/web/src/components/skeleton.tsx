import type { ReactNode } from 'react'
import { classes } from '../lib/class-names.js'

/** A grey shape while something loads: give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={classes('animate-breathe rounded-sm bg-rule', className)} />
}

/** Skeletons of one region, announced once; their shapes are hidden from screen readers. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}
