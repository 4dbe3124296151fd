import type { ReactNode } from 'react'
import { classes } from '../lib/class-names.js'

/** A grey shape while something loads: give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={classes('animate-breathe rounded-sm bg-rule', className)} />
}

interface LoadingProps {
  label: string
  /** True where the whole page is loading: then the label is the page's heading. */
  page?: boolean
  children: ReactNode
}

/** Skeletons of one region, announced once; their shapes are hidden from screen readers. */
export function Loading({ label, page = false, children }: LoadingProps) {
  return (
    <div role="status">
      {page ? <h1 className="sr-only">{label}</h1> : <span className="sr-only">{label}</span>}
      <div aria-hidden="true">{children}</div>
    </div>
  )
}
