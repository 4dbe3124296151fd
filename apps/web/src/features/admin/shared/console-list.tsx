import type { ReactNode } from 'react'
import { classes } from '../../../lib/class-names.js'
import { ROW } from './use-console-keys.js'

export interface Column<Item> {
  readonly label: string
  readonly cell: (item: Item) => ReactNode
  readonly align?: 'right'
  /** Only where there is room: not on a phone. */
  readonly wide?: true
}

export interface ConsoleListProps<Item> {
  /** What the rows are, for screen readers. */
  caption: string
  /** The first column names the row. */
  columns: readonly Column<Item>[]
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** Opens a row. Without it the rows are only read. */
  open?: (item: Item) => void
  /** What stands there without rows. */
  empty: string
}

/** A dense table. Its rows take the focus one after the other, and Enter opens one. */
export function ConsoleList<Item>({ caption, columns, items, keyOf, open, empty }: ConsoleListProps<Item>) {
  if (items.length === 0) return <p className="border-y border-rule py-4 text-ink-soft">{empty}</p>
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-ink text-left">
            {columns.map(column => (
              <th key={column.label} scope="col" className={classes(cellClass(column), 'text-xs font-semibold')}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map(item => (
            <tr key={keyOf(item)} className="relative border-b border-rule has-focus-visible:bg-sunken hover:bg-sunken">
              {columns.map((column, index) => (
                <td key={column.label} className={cellClass(column)}>
                  {index === 0 && open ? (
                    <RowButton open={() => open(item)}>{column.cell(item)}</RowButton>
                  ) : (
                    column.cell(item)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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

const cellClass = ({ align, wide }: Column<never>) =>
  classes(
    'py-2 pr-4 align-top last:pr-1 first:pl-1',
    align === 'right' && 'text-right whitespace-nowrap',
    wide && 'hidden sm:table-cell',
  )
