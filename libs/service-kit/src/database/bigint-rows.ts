import pg from 'pg'
import type { EntityManager } from 'typeorm'

const INT8 = 20
const INT8_ARRAY = 1016
const TEXT_ARRAY = 1009

/** Runs a statement in the dbTx of `dbTx`. It reads `bigint` as BigInt, as a pool of `createPool` does. */
export async function rowsWithin<R extends pg.QueryResultRow>(
  dbTx: EntityManager,
  { text, values }: { readonly text: string; readonly values: unknown[] },
): Promise<R[]> {
  if (!dbTx.queryRunner?.isTransactionActive) throw new Error('a statement of a dbTx was given without one')
  const client = (await dbTx.queryRunner.connect()) as pg.ClientBase
  return (await client.query<R>({ text, values, types: { getTypeParser } })).rows
}

const toBigInt = (text: string): bigint => BigInt(text)
const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY as number, 'text')
const toBigInts = (text: string): (bigint | null)[] =>
  parseTextArray(text).map(item => (item === null ? null : BigInt(item)))

/** `types` of `pg` that read `bigint` and `bigint[]` as BigInt. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (format !== 'binary' && oid === INT8) return toBigInt
  if (format !== 'binary' && oid === INT8_ARRAY) return toBigInts
  return pg.types.getTypeParser(oid, format as 'text')
}
