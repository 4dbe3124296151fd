import { type FindOperator, Raw } from 'typeorm'
import type { Queryable } from './queryable.js'

/** The database's time now. All processes agree on it, whatever their own clocks say. */
export async function databaseTime(database: Queryable): Promise<Date> {
  const [row] = (await database.query('SELECT clock_timestamp() AS now', [])) as { now: Date }[]
  return row!.now
}

/**
 * A condition for TypeORM's `where`: the time in the column has come by the database's clock, or comes within `aheadMs`. A
 * negative value asks for times that passed at least so long ago. PostgreSQL can use an index for it.
 */
export const dueWithin = (aheadMs: number): FindOperator<Date> =>
  Raw(column => `${column} <= now() + :aheadMs * interval '1 millisecond'`, { aheadMs })

/**
 * A value for TypeORM's `update`, and a piece of SQL: the time in `ms` milliseconds by the database's clock. What is due by the
 * database's clock is written with it.
 */
export const fromNow = (ms: number) => (): string => `now() + ${Math.round(ms)} * interval '1 millisecond'`
