/**
 * Idempotency keys: when a client repeats a request with the same key, it gets the first answer again, and the work is done
 * once. A key belongs to a user and a route. The dbTx that does the work also stores the answer; refusals are not stored.
 */
import { createHash } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import type { DataSource, EntityManager } from 'typeorm'
import type { Row } from '../database/batch-statement.js'
import type { Queryable } from '../database/queryable.js'
import { type IDEMPOTENCY_COLUMNS, IDEMPOTENCY_TABLE } from './idempotency-table.js'

export interface IdempotencyKey {
  readonly userId: string
  /** The command for which the key was sent. The same key may be used for another command. */
  readonly route: string
  readonly key: string
  /** The hash of the client's input, made by `hashInput`. */
  readonly inputHash: Buffer
}

/**
 * A hash of the client's input. It distinguishes a repeated request from a different one with the same key. The input must
 * not contain values that were made here, such as an id or the time: they would make every repetition a different request.
 * Parsing by a schema has given the fields a fixed order.
 */
export const hashInput = (input: unknown): Buffer => createHash('sha256').update(JSON.stringify(input)).digest()

/** Refuses a key that was used for another input. @throws DomainError `IDEMPOTENCY_KEY_REUSED` */
export function assertSameInput(first: Buffer, repeated: Buffer): void {
  if (!first.equals(repeated)) throw new DomainError('IDEMPOTENCY_KEY_REUSED')
}

/**
 * The first answer to a key; undefined for a new key.
 *
 * @throws DomainError `IDEMPOTENCY_KEY_REUSED` when the key was used for another input
 */
export async function findAnswer<A>(database: Queryable, { userId, route, key, inputHash }: IdempotencyKey) {
  const rows = (await database.query(FIND, [userId, route, key])) as { input_hash: Buffer; answer: A }[]
  const [row] = rows
  if (!row) return undefined
  assertSameInput(row.input_hash, inputHash)
  return row.answer
}

/** The row that stores an answer, for a command that writes all its rows in one statement. */
export const idempotencyRow = (key: IdempotencyKey, answer: unknown): Row<typeof IDEMPOTENCY_COLUMNS> => ({
  user_id: key.userId,
  route: key.route,
  key: key.key,
  input_hash: key.inputHash,
  answer: JSON.stringify(answer),
})

/**
 * Stores the answer to a key in the caller's dbTx. It waits for another dbTx that is storing an answer to the same key.
 *
 * @returns false when the key has an answer already: the caller's work must not be committed
 */
export async function keepAnswer(dbTx: Queryable, key: IdempotencyKey, answer: unknown, now: Date): Promise<boolean> {
  const values = [key.userId, key.route, key.key, key.inputHash, JSON.stringify(answer), now]
  return ((await dbTx.query(KEEP, values)) as unknown[]).length > 0
}

/**
 * Stores the answer to a key, unless another request with the key was first. For work that is idempotent by itself.
 *
 * @returns the first answer to the key
 * @throws DomainError `IDEMPOTENCY_KEY_REUSED` when the first request had another input
 */
export async function keepFirstAnswer<A>(database: Queryable, key: IdempotencyKey, answer: A, now: Date): Promise<A> {
  if (await keepAnswer(database, key, answer, now)) return answer
  return (await findAnswer<A>(database, key)) ?? answer
}

/**
 * Does `work` once per key, in a dbTx that also stores its answer. When two requests with one key run at the same time, one
 * is rolled back or refused, and returns the answer of the other.
 *
 * @throws DomainError `IDEMPOTENCY_KEY_REUSED` when the key was used for another input; errors of `work` are passed on
 */
export async function answerOnce<A>(
  dataSource: DataSource,
  key: IdempotencyKey,
  now: Date,
  work: (dbTx: EntityManager) => Promise<A>,
): Promise<A> {
  const known = await findAnswer<A>(dataSource, key)
  if (known !== undefined) return known
  try {
    return await dataSource.transaction(async dbTx => {
      const answer = await work(dbTx)
      if (!(await keepAnswer(dbTx, key, answer, now))) throw new KeyTaken()
      return answer
    })
  } catch (error) {
    // A refusal may come from the first request with this key, which was committed after the key was looked up.
    if (!(error instanceof KeyTaken || error instanceof DomainError)) throw error
    const first = await findAnswer<A>(dataSource, key)
    if (first !== undefined) return first
    if (error instanceof DomainError) throw error
    // The key existed a moment ago and was then deleted because of its age. The client may repeat it as a new request.
    throw new DomainError('UNAVAILABLE')
  }
}

/** Rolls back the work of a request whose key another request answered first. */
class KeyTaken extends Error {}

const FIND = `SELECT input_hash, answer FROM ${IDEMPOTENCY_TABLE} WHERE user_id = $1 AND route = $2 AND key = $3`
const KEEP = `INSERT INTO ${IDEMPOTENCY_TABLE} (user_id, route, key, input_hash, answer, created_at)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`
