import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

interface PageHeaderProps {
  title: string
  /** One or two sentences under the title. */
  lead?: ReactNode
  /** Where this page was come from. */
  back?: { readonly to: string; readonly label: string }
  /** Beside the title: a badge. */
  mark?: ReactNode
  actions?: ReactNode
}

/** The head of a page: its one h1, what it is for, and what can be done here. */
export function PageHeader({ title, lead, back, mark, actions }: PageHeaderProps) {
  return (
    <header className="pt-6 pb-7 sm:pt-10 sm:pb-9">
      {back && (
        <Link
          to={back.to}
          className="mb-3 -ml-1 inline-flex min-h-9 items-center gap-1.5 pr-2 pl-1 text-sm font-medium text-ink-soft hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="max-w-3xl min-w-0">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h1 className="display text-2xl sm:text-3xl">{title}</h1>
            {mark}
          </div>
          {lead && <p className="mt-2 max-w-text text-ink-soft">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
    </header>
  )
}
