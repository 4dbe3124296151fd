import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { CONSOLE_NAV } from './console-nav.js'

/** The keys of the console, while it is shown. In a field, in a dialog and with Ctrl, Alt or Meta they do nothing. */
export function useConsoleKeys(showKeys: () => void): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useEffect(() => {
    let goes = false
    const follow = (event: KeyboardEvent) => {
      if (isElsewhere(event)) return
      const wentBefore = goes
      goes = !wentBefore && event.key === 'g'
      const page = wentBefore ? CONSOLE_NAV.find(({ key }) => key === event.key) : undefined
      const act = page ? () => navigate(page.to, { replace: page.to === pathname }) : actOf(event.key, showKeys)
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', follow)
    return () => document.removeEventListener('keydown', follow)
  }, [navigate, pathname, showKeys])
}

function actOf(key: string, showKeys: () => void): (() => void) | null {
  const isOnRow = document.activeElement?.matches('[data-console-row]') ?? false
  if (key === 'j' || (key === 'ArrowDown' && isOnRow)) return () => moveRow(1)
  if (key === 'k' || (key === 'ArrowUp' && isOnRow)) return () => moveRow(-1)
  if (key === '/') return () => document.querySelector<HTMLElement>('search input')?.focus()
  return key === '?' ? showKeys : null
}

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-console-row]')]
  const current = rows.indexOf(document.activeElement as HTMLElement)
  const next = current < 0 ? 0 : Math.min(Math.max(current + step, 0), rows.length - 1)
  rows[next]?.focus()
}

/** What takes the letters that one types. A radio or a checkbox that still has the focus takes none. */
const FIELDS = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]'

function isElsewhere({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true
  if (target instanceof HTMLElement && target.closest(FIELDS)) return true
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
}
