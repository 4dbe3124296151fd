import type { Queryable } from './queryable.js'

/**
 * Makes every dbTx that takes the lock of this name wait for the one that has it, until that one ends. It is for what no row can be
 * locked for, because the row may not exist yet.
 *
 * @param dbTx the lock is released when it commits or is rolled back
 * @param name what is locked, such as "deal of listing 7". It is unique in the database
 */
export async function lockUntilCommit(dbTx: Queryable, name: string): Promise<void> {
  await dbTx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
}
