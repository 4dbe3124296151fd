import type { ReactNode } from 'react'
import { classes } from '../../../lib/class-names.js'
import { ROW } from './console-row.js'

export interface Column<Item> {
  readonly label: string
  readonly cell: (item: Item) => ReactNode
  readonly align?: 'right'
}

export interface ConsoleListProps<Item> {
  /** What the rows are, for screen readers. */
  caption: string
  /** The first column names the row. A cell of `''` or null has nothing to say, and takes no line on a phone. */
  columns: readonly Column<Item>[]
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** Opens a row. Without it the rows are only read. */
  open?: (item: Item) => void
  /** What stands there without rows. */
  empty: string
}

/**
 * A dense table. On a phone each row is a block: its name, and below it a line with label and value for each other column. Its
 * rows take the focus one after the other, and Enter opens one.
 */
export function ConsoleList<Item>({ caption, columns, items, keyOf, open, empty }: ConsoleListProps<Item>) {
  if (items.length === 0) return <p className="border-y border-rule py-4 text-ink-soft">{empty}</p>
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-sm max-sm:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:hidden">
          <tr className="border-b border-ink text-left">
            {columns.map(column => (
              <th key={column.label} scope="col" className={classes(CELL, alignClass(column), 'text-xs font-semibold')}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block max-sm:border-t max-sm:border-ink">
          {items.map(item => (
            <tr
              key={keyOf(item)}
              className="relative border-b border-rule has-focus-visible:bg-sunken hover:bg-sunken max-sm:block max-sm:py-2"
            >
              {columns.map((column, index) =>
                index === 0 ? (
                  <td key={column.label} className={classes(CELL, 'max-sm:block max-sm:font-semibold')}>
                    {open ? <RowButton open={() => open(item)}>{column.cell(item)}</RowButton> : column.cell(item)}
                  </td>
                ) : (
                  <LabelledCell key={column.label} column={column} content={column.cell(item)} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A cell that shows its column's label on a phone, where the table has no head. */
function LabelledCell<Item>({ column, content }: { column: Column<Item>; content: ReactNode }) {
  const isEmpty = content === '' || content === null
  return (
    <td
      data-label={column.label}
      className={classes(
        CELL,
        alignClass(column),
        isEmpty ? 'max-sm:hidden' : 'max-sm:flex max-sm:gap-3',
        'before:w-28 before:shrink-0 before:text-ink-soft before:content-[attr(data-label)] sm:before:hidden',
      )}
    >
      <div className="min-w-0">{content}</div>
    </td>
  )
}

/** The button of a row. Its area is the whole row. */
function RowButton({ open, children }: { open: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      {...ROW}
      onClick={open}
      className="text-left font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ink"
    >
      {children}
    </button>
  )
}

const CELL = 'py-2 pr-4 align-top first:pl-1 last:pr-1 max-sm:px-1 max-sm:py-0.5'
const alignClass = ({ align }: Pick<Column<never>, 'align'>) => align === 'right' && 'sm:text-right whitespace-nowrap'
