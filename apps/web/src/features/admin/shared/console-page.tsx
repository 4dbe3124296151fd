import type { Page } from '@holdfast/contracts/pages'
import type { ReactNode } from 'react'
import { useOutletContext } from 'react-router-dom'
import { Button } from '../../../components/button.js'
import { PageHead } from '../../../components/page-head.js'

/** What the frame of the console gives its pages. */
export interface ConsoleContext {
  /** Shows the list of the console's keys. */
  readonly showKeys: () => void
}

interface ConsolePageProps {
  page: Page
  /** One sentence: what stands here. */
  lead: string
  actions?: ReactNode
  children: ReactNode
}

/** A page of the operator's console: its head, and what stands below. */
export function ConsolePage({ page, lead, actions, children }: ConsolePageProps) {
  const { showKeys } = useOutletContext<ConsoleContext>()
  return (
    <>
      <PageHead page={page} />
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 pt-5 pb-5 lg:pt-8">
        <div className="min-w-0">
          <h1 className="display text-2xl">{page.title}</h1>
          <p className="mt-1 text-sm text-ink-soft">{lead}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {actions}
          <Button kind="bare" size="sm" className="max-sm:hidden" onClick={showKeys}>
            Keys <kbd className="figures text-ink-faint">?</kbd>
          </Button>
        </div>
      </header>
      {children}
    </>
  )
}
