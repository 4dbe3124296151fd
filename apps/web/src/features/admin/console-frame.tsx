import { useCallback, useEffect, useRef, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router-dom'
import { Dialog } from '../../components/dialog.js'
import { Facts } from '../../components/facts.js'
import { classes } from '../../lib/class-names.js'
import { CONSOLE_KEYS, CONSOLE_NAV } from './console-nav.js'
import type { ConsoleContext } from './shared/console-page.js'
import { useConsoleKeys } from './use-console-keys.js'

/** What stands around every page of the operator's console: the links to its pages, and its keys. */
export default function ConsoleFrame() {
  const [showsKeys, setShowsKeys] = useState(false)
  const showKeys = useCallback(() => setShowsKeys(true), [])
  useConsoleKeys(showKeys)
  return (
    <div className="page lg:grid lg:grid-cols-[10rem_minmax(0,1fr)] lg:gap-x-10">
      <ConsoleNav />
      <div className="min-w-0">
        <Outlet context={{ showKeys } satisfies ConsoleContext} />
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
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  // On a phone the pages stand in one line, which scrolls sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the reason to run
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && here) nav.current.scrollLeft = here.offsetLeft - nav.current.clientWidth / 2
  }, [pathname])
  return (
    <nav
      ref={nav}
      aria-label="Console"
      className="-mx-4 overflow-x-auto border-b border-rule px-4 lg:mx-0 lg:overflow-visible lg:border-0 lg:px-0 lg:pt-8"
    >
      <ul className="flex gap-1 py-1 lg:sticky lg:top-20 lg:grid lg:py-0">
        {CONSOLE_NAV.map(({ to, label, key }) => (
          <li key={to}>
            <NavLink
              to={to}
              end
              className={({ isActive }) =>
                classes(
                  'flex min-h-9 items-center justify-between gap-3 rounded-md px-2.5 text-sm whitespace-nowrap',
                  isActive ? 'bg-sunken font-semibold text-ink' : 'text-ink-soft hover:bg-sunken hover:text-ink',
                )
              }
            >
              {label}
              <span aria-hidden="true" className="hidden font-sans text-xs text-ink-faint lg:inline">
                g {key}
              </span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
