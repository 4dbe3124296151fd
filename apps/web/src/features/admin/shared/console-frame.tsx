import type { Page } from '@holdfast/contracts/pages'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Facts } from '../../../components/facts.js'
import { PageHead } from '../../../components/page-head.js'
import { classes } from '../../../lib/class-names.js'
import { Link, useLocation } from '../../../lib/navigation.js'
import { CONSOLE_KEYS, CONSOLE_NAV } from './console-nav.js'
import { useConsoleKeys } from './use-console-keys.js'

interface ConsoleFrameProps {
  page: Page
  /** One sentence: what stands here. */
  lead: string
  actions?: ReactNode
  children: ReactNode
}

/** What stands around every page of the operator's console: its pages, its head and its keys. */
export function ConsoleFrame({ page, lead, actions, children }: ConsoleFrameProps) {
  const [showsKeys, setShowsKeys] = useState(false)
  useConsoleKeys(useCallback(() => setShowsKeys(true), []))
  return (
    <div className="page lg:grid lg:grid-cols-[10rem_minmax(0,1fr)] lg:gap-x-10">
      <PageHead page={page} />
      <ConsoleNav />
      <div className="min-w-0">
        <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 pt-5 pb-5 lg:pt-8">
          <div className="min-w-0">
            <h1 className="display text-2xl">{page.title}</h1>
            <p className="mt-1 text-sm text-ink-soft">{lead}</p>
          </div>
          <div className="flex flex-wrap gap-2">
            {actions}
            <Button kind="bare" size="sm" className="max-sm:hidden" onClick={() => setShowsKeys(true)}>
              Keys <kbd className="figures text-ink-faint">?</kbd>
            </Button>
          </div>
        </header>
        {children}
      </div>
      <Dialog open={showsKeys} onOpenChange={setShowsKeys} title="Keys of the console">
        <Facts
          facts={[
            ...CONSOLE_KEYS.map(({ keys, does }) => ({ label: does, value: <kbd>{keys}</kbd> })),
            ...CONSOLE_NAV.map(({ label, key }) => ({ label, value: <kbd>g {key}</kbd> })),
          ]}
        />
      </Dialog>
    </div>
  )
}

function ConsoleNav() {
  const { path } = useLocation()
  const nav = useRef<HTMLElement>(null)
  // On a phone the pages stand in one line, which scrolls sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the reason to run
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && here) nav.current.scrollLeft = here.offsetLeft - nav.current.clientWidth / 2
  }, [path])
  return (
    <nav
      ref={nav}
      aria-label="Console"
      className="-mx-4 overflow-x-auto border-b border-rule px-4 lg:mx-0 lg:overflow-visible lg:border-0 lg:px-0 lg:pt-8"
    >
      <ul className="flex gap-1 py-1 lg:sticky lg:top-20 lg:grid lg:py-0">
        {CONSOLE_NAV.map(({ to, label, key }) => {
          const isHere = path === to
          return (
            <li key={to}>
              <Link
                to={to}
                aria-current={isHere ? 'page' : undefined}
                className={classes(
                  'flex min-h-9 items-center justify-between gap-3 rounded-md px-2.5 text-sm whitespace-nowrap',
                  isHere ? 'bg-sunken font-semibold text-ink' : 'text-ink-soft hover:bg-sunken hover:text-ink',
                )}
              >
                {label}
                <span aria-hidden="true" className="hidden font-sans text-xs text-ink-faint lg:inline">
                  g {key}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
