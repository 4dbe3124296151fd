import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** The next step, as a button or a link. */
  action?: ReactNode
  /** The heading's level in the page's outline. */
  level?: 2 | 3
}

/** Where a list would stand that has nothing in it yet: what will be here, and the next step. */
export function EmptyState({ title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const
  return (
    <div className="rounded-lg border border-dashed border-edge px-5 py-8 sm:px-8 sm:py-10">
      <Heading className="display text-xl">{title}</Heading>
      {children && <div className="mt-2 max-w-text text-ink-soft">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap gap-3">{action}</div>}
    </div>
  )
}
