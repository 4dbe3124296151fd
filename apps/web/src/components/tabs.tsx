import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { classes } from '../lib/class-names.js'

interface TabsProps<Value extends string> {
  /** What the tabs choose between, for screen readers. */
  label: string
  tabs: readonly { readonly value: Value; readonly label: ReactNode; readonly content: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}

/** Which tab a key leads to, as the pattern "Tabs" of the ARIA Authoring Practices says. */
const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Scrolls a row sideways until a tab of it is wholly seen. The page itself does not move. */
function showWholly(row: Element, tab: Element) {
  const [seen, wanted] = [row.getBoundingClientRect(), tab.getBoundingClientRect()]
  row.scrollLeft += Math.max(0, wanted.right - seen.right) + Math.min(0, wanted.left - seen.left)
}

/**
 * Several views, of which one is shown. Arrow keys, Home and End choose another one. Where the screen is too narrow the
 * row of tabs scrolls sideways, to the chosen one.
 */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const chosen = tabs.find(tab => tab.value === value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chosen tab is the reason to run
  useLayoutEffect(() => {
    const tab = row.current?.querySelector('[aria-selected="true"]')
    if (row.current && tab) showWholly(row.current, tab)
  }, [value])
  const move = (event: KeyboardEvent) => {
    const next = MOVES[event.key]?.(
      tabs.findIndex(tab => tab.value === value),
      tabs.length,
    )
    if (next === undefined) return
    event.preventDefault()
    onChange(tabs[next]!.value)
    row.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        className="flex gap-4 overflow-x-auto overflow-y-hidden border-b border-rule [scrollbar-width:none] sm:gap-6"
      >
        {tabs.map(tab => {
          const isChosen = tab.value === value
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}-tab`}
              aria-selected={isChosen}
              aria-controls={isChosen ? `${id}-${tab.value}` : undefined}
              tabIndex={isChosen ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
              className={classes(
                '-mb-px min-h-11 border-b-2 max-sm:text-sm whitespace-nowrap -outline-offset-2 transition-colors duration-(--swift) hover:text-ink',
                isChosen ? 'border-ink font-semibold text-ink' : 'border-transparent font-medium text-ink-soft',
              )}
            >
              {tab.label}
            </button>
          )
        })}
      </div>
      {chosen && (
        <div
          key={chosen.value}
          role="tabpanel"
          id={`${id}-${chosen.value}`}
          aria-labelledby={`${id}-${chosen.value}-tab`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may begin with text, and so the keyboard reaches it
          tabIndex={0}
          className="pt-6 outline-offset-4"
        >
          {chosen.content}
        </div>
      )}
    </>
  )
}
