import { binaryArray, type ColumnType, type ValueOf } from './binary-array.js'

/**
 * Statements that write many rows into several tables at once, for the commands that share a statement (`batchCalls`).
 *
 * Each part names its columns, their PostgreSQL types and the rows it makes of one item. The numbers of the parameters and
 * the arrays that fill them are derived from that one list, so a value can never end up in another column.
 */

export type Columns = Readonly<Record<string, ColumnType>>
/** One row: a value, or null, for every column. */
export type Row<C extends Columns> = { readonly [K in keyof C]: ValueOf[C[K]] | null }

/** The rows of one table that a statement inserts. */
export interface Insert<Item, C extends Columns, K extends Columns = Record<never, never>> {
  /** The table, with its schema where the search_path does not lead to it. */
  readonly table: string
  readonly columns: C
  /** Columns of the rows that only `join`, `where` and `joined` use: they are not inserted. */
  readonly keys?: K
  readonly rows: (item: Item) => readonly Row<C & K>[]
  /** Columns that are filled from a joined query: column → SQL expression. */
  readonly joined?: Readonly<Record<string, string>>
  /** A join that decides which rows are written, such as `deal ON deal.id = event.key::bigint`. */
  readonly join?: string
  /** A condition for the rows that are written, such as `NOT EXISTS (SELECT FROM closed_user WHERE user_id = row.user_id)`. */
  readonly where?: string
  /** The alias by which `join`, `where` and `onConflict` name the rows; `row` when left out. */
  readonly as?: string
  /** Inserts in the order of the items and their rows, for a table that is read in the order of its ids. */
  readonly ordered?: boolean
  /** The ON CONFLICT clause without the words ON CONFLICT. */
  readonly onConflict?: string
}

interface Source<Item> {
  readonly columns: readonly (readonly [name: string, type: ColumnType])[]
  readonly rows: (item: Item) => readonly Readonly<Record<string, unknown>>[]
}

/** The table and columns of an insert, for a test that compares them with the database. */
export interface InsertedColumns {
  readonly table: string
  readonly columns: Columns
}

/**
 * Collects the parts of one statement. The results of `rows` and `insert` belong into its text; `values` makes the
 * parameters of all of them in the same order.
 */
export class BatchStatement<Item> {
  private readonly sources: Source<Item>[] = []
  private parameters = 0
  /** Every insert so far. */
  readonly inserts: InsertedColumns[] = []

  /**
   * @param name the statement's name, under which the server keeps its plan
   * @param compose returns the text, built from parts that it requests from this statement
   */
  constructor(
    readonly name: string,
    compose: (statement: BatchStatement<Item>) => string,
  ) {
    this.text = compose(this)
  }

  readonly text: string

  /**
   * Rows as an entry of a FROM list: `unnest($1::bigint[], …) AS alias(id, …)`.
   *
   * @param ordered adds the column `nth`, by which the result can be sorted in the order of the rows
   */
  rows<C extends Columns>(alias: string, columns: C, rows: (item: Item) => readonly Row<C>[], ordered = false): string {
    return this.source(alias, columns, rows, ordered)
  }

  /** A single array parameter, as in `id = ANY($1::bigint[])`, for which the planner always uses an index. */
  array<T extends ColumnType>(type: T, valuesOf: (item: Item) => readonly ValueOf[T][]): string {
    this.sources.push({ columns: [['value', type]], rows: item => valuesOf(item).map(value => ({ value })) })
    return `$${++this.parameters}::${type}[]`
  }

  /** An INSERT, for use as the whole statement or as a CTE. */
  insert<C extends Columns, K extends Columns = Record<never, never>>(insert: Insert<Item, C, K>): string {
    const { table, columns, keys, rows, joined = {}, join, where, as = 'row', ordered = false, onConflict } = insert
    this.inserts.push({ table, columns })
    const own = Object.keys(columns)
    const names = [...own, ...Object.keys(joined)]
    const values = [...own.map(column => `${as}.${column}`), ...Object.values(joined)]
    return [
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}`,
      `FROM ${this.source(as, { ...columns, ...keys }, rows, ordered)}`,
      ...(join ? [`JOIN ${join}`] : []),
      ...(where ? [`WHERE ${where}`] : []),
      ...(ordered ? [`ORDER BY ${as}.nth`] : []),
      ...(onConflict ? [`ON CONFLICT ${onConflict}`] : []),
    ].join('\n    ')
  }

  /** The parameters for these items: one array per column, in PostgreSQL's binary format. */
  values(items: readonly Item[]): Buffer[] {
    return this.sources.flatMap(({ columns, rows }) => {
      const all = items.flatMap(item => rows(item))
      return columns.map(([name, type]) =>
        binaryArray(
          type,
          all.map(row => row[name] as ValueOf[typeof type]),
        ),
      )
    })
  }

  private source(
    alias: string,
    columns: Columns,
    rows: (item: Item) => readonly Readonly<Record<string, unknown>>[],
    ordered: boolean,
  ): string {
    const names = Object.keys(columns)
    this.sources.push({ columns: Object.entries(columns), rows })
    const arrays = Object.values(columns).map(type => `$${++this.parameters}::${type}[]`)
    const list = [...names, ...(ordered ? ['nth'] : [])].join(', ')
    return `unnest(${arrays.join(', ')})${ordered ? ' WITH ORDINALITY' : ''} AS ${alias}(${list})`
  }
}
