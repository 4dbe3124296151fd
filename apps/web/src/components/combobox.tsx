import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { classes } from '../lib/class-names.js'
import { Field } from './field.js'
import { SearchInput } from './input.js'

interface ComboboxProps<Item> {
  label: string
  hint?: ReactNode
  icon: ReactNode
  placeholder?: string
  maxLength?: number
  text: string
  onTextChange: (text: string) => void
  /** What can be chosen now; undefined while nothing was searched for or the answer is awaited. */
  items: readonly Item[] | undefined
  keyOf: (item: Item) => string
  render: (item: Item) => ReactNode
  onSelect: (item: Item) => void
  /** What shows under the list: that it is loading, failed, or is empty. */
  children?: ReactNode
}

/**
 * A text field with a list of what it finds, after the ARIA pattern of a combobox: the arrow keys move through the list
 * while the focus stays in the field, Enter chooses, Escape closes. The number of results is announced.
 */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { label, hint, icon, placeholder, maxLength, text, onTextChange, items, keyOf, render, onSelect, children } =
    props
  const id = useId()
  const { active, setActive, isOpen, close, onKeyDown } = useListKeys(items, onSelect)
  const optionId = (index: number) => `${id}-option-${index}`
  return (
    <div>
      <Field label={label} hint={hint}>
        <SearchInput
          icon={icon}
          {...(placeholder ? { placeholder } : {})}
          {...(maxLength ? { maxLength } : {})}
          value={text}
          onChange={event => onTextChange(event.target.value)}
          onKeyDown={onKeyDown}
          autoComplete="off"
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && active >= 0 ? optionId(active) : undefined}
        />
      </Field>
      <p role="status" className="sr-only">
        {items && countWords(items.length)}
      </p>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        hidden={!isOpen}
        className="mt-4 divide-y divide-rule border-y border-rule"
      >
        {isOpen &&
          items?.map((item, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
            <div
              key={keyOf(item)}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              // A click must not take the focus out of the field before it counts.
              onMouseDown={event => event.preventDefault()}
              onMouseMove={() => setActive(index)}
              onClick={() => {
                close()
                onSelect(item)
              }}
              className={classes('cursor-pointer px-2 py-3', index === active && 'bg-sunken')}
            >
              {render(item)}
            </div>
          ))}
      </div>
      <div className="mt-4">{children}</div>
    </div>
  )
}

const countWords = (count: number) =>
  count === 1
    ? '1 result. Use the arrow keys to choose it.'
    : `${count} results.${count > 0 ? ' Use the arrow keys to choose one.' : ''}`

/** Which entry of the list is active, and the keys that move through it. A new list opens with none. */
function useListKeys<Item>(items: readonly Item[] | undefined, onSelect: (item: Item) => void) {
  const [active, setActive] = useState(-1)
  const [isClosed, setIsClosed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is the reason to run
  useEffect(() => {
    setActive(-1)
    setIsClosed(false)
  }, [items])
  const count = items?.length ?? 0
  const isOpen = count > 0 && !isClosed

  function onKeyDown(event: KeyboardEvent) {
    const move = moveOf(event.key, active, count)
    if (move !== null && count > 0) {
      event.preventDefault()
      setIsClosed(false)
      setActive(move)
    } else if (event.key === 'Enter' && isOpen && items && active >= 0) {
      event.preventDefault()
      onSelect(items[active] as Item)
    } else if (event.key === 'Escape' && isOpen) {
      // The field's own Escape would empty it.
      event.preventDefault()
      setIsClosed(true)
      setActive(-1)
    }
  }

  return { active, setActive, isOpen, close: () => setIsClosed(true), onKeyDown }
}

/** The entry that a key leads to, around both ends; null for a key that moves nothing. */
function moveOf(key: string, active: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count
    case 'ArrowUp':
      return active <= 0 ? count - 1 : active - 1
    default:
      return null
  }
}
