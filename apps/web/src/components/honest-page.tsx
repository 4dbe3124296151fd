import type { Page } from '@holdfast/contracts/pages'
import type { ReactNode } from 'react'
import { PageHead } from './page-head.js'
import { PageHeader } from './page-header.js'

interface HonestPageProps {
  /** The page's entry in the table of pages. */
  page: Page
  lead: string
  back?: { readonly to: string; readonly label: string }
  /** What this page will do, one sentence each. */
  coming: readonly string[]
  /** What already works, and where. */
  today: ReactNode
  children?: ReactNode
}

/** A page that is not finished: says plainly what will be here, and what can be done until then. */
export function HonestPage({ page, lead, back, coming, today, children }: HonestPageProps) {
  return (
    <div className="page">
      <PageHead page={page} />
      <PageHeader title={page.title} lead={lead} {...(back ? { back } : {})} />
      {children}
      <div className="grid gap-10 md:grid-cols-2">
        <section>
          <h2 className="border-b border-ink pb-2 font-semibold">What will be here</h2>
          <ul className="divide-y divide-rule">
            {coming.map(sentence => (
              <li key={sentence} className="py-3 text-ink-soft">
                {sentence}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2 className="border-b border-ink pb-2 font-semibold">What works today</h2>
          <div className="grid gap-4 pt-3">{today}</div>
        </section>
      </div>
    </div>
  )
}
