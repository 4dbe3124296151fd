import type { Page } from '@holdfast/contracts/pages'
import type { ReactNode } from 'react'
import { PageHead } from './page-head.js'

interface PageMessageProps extends Pick<Page, 'title'> {
  /** Over the title: "404". */
  mark?: string
  /** What happened, and what it means for the money. */
  children: ReactNode
  /** The ways on, as buttons and links. */
  actions: ReactNode
}

/** A page that only says something: not found, gone, broken, not yet possible. */
export function PageMessage({ title, mark, children, actions }: PageMessageProps) {
  return (
    <div className="page py-16 sm:py-24">
      <PageHead page={{ title }} />
      {mark && <p className="figures text-sm font-semibold text-ink-faint">{mark}</p>}
      <h1 className="display mt-1 text-3xl">{title}</h1>
      <p className="mt-3 max-w-text text-ink-soft">{children}</p>
      <div className="mt-6 flex flex-wrap items-center gap-4">{actions}</div>
    </div>
  )
}
