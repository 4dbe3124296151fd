/**
 * Idempotency keys: a client that sends a request twice with one key gets the first answer twice, and the work is done
 * once. A key belongs to a user and a route. The answer is kept by the dbTx that did the work; refusals are not kept.
 */
import { createHash } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import type { DataSource, EntityManager } from 'typeorm'
import type { Row } from '../database/batch-statement.js'
import { type IDEMPOTENCY_COLUMNS, IDEMPOTENCY_TABLE } from './idempotency-table.js'

export interface IdempotencyKey {
  readonly userId: string
  /** The command for which the key was sent: one key may be used once for each. */
  readonly route: string
  readonly key: string
  /** What the client asked for, as `hashInput` makes it. */
  readonly inputHash: Buffer
}

/** Anything that runs SQL with the service's schema in its search_path. */
interface Queryable {
  query(text: string, values: unknown[]): Promise<unknown>
}

/**
 * The hash that tells a repeated request from another one with the same key. It covers what the client sent and nothing
 * that was made here (no new id, no time), or an honest repeat would be taken for another request. The input comes from a
 * parsed schema, so its fields have an order.
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

/** The row that keeps an answer, for a command that writes everything in one statement. */
export const idempotencyRow = (key: IdempotencyKey, answer: unknown): Row<typeof IDEMPOTENCY_COLUMNS> => ({
  user_id: key.userId,
  route: key.route,
  key: key.key,
  input_hash: key.inputHash,
  answer: JSON.stringify(answer),
})

/**
 * Keeps the answer to a key in the caller's dbTx. Another dbTx that has just kept an answer to the same key is waited for.
 *
 * @returns false when the key has an answer already: the caller's work must not be committed
 */
export async function keepAnswer(dbTx: Queryable, key: IdempotencyKey, answer: unknown, now: Date): Promise<boolean> {
  const values = [key.userId, key.route, key.key, key.inputHash, JSON.stringify(answer), now]
  return ((await dbTx.query(KEEP, values)) as unknown[]).length > 0
}

/**
 * Keeps the answer to a key, unless another request with it was first. For work that is safe to repeat by itself.
 *
 * @returns the first answer to the key
 * @throws DomainError `IDEMPOTENCY_KEY_REUSED` when the first was for another input
 */
export async function keepFirstAnswer<A>(database: Queryable, key: IdempotencyKey, answer: A, now: Date): Promise<A> {
  if (await keepAnswer(database, key, answer, now)) return answer
  return (await findAnswer<A>(database, key)) ?? answer
}

/**
 * Does `work` in a dbTx, once per key, and keeps its answer there. Of two requests with one key at the same moment one is
 * rolled back and answers what the other did.
 *
 * @throws DomainError `IDEMPOTENCY_KEY_REUSED` when the key was used for another input, and whatever `work` throws
 */
export async function answerOnce<A>(
  dataSource: DataSource,
  key: IdempotencyKey,
  now: Date,
  work: (manager: EntityManager) => Promise<A>,
): Promise<A> {
  const known = await findAnswer<A>(dataSource, key)
  if (known !== undefined) return known
  try {
    return await dataSource.transaction(async manager => {
      const answer = await work(manager)
      if (!(await keepAnswer(manager, key, answer, now))) throw new KeyTaken()
      return answer
    })
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error
    const first = await findAnswer<A>(dataSource, key)
    // Old keys are deleted after days: one that was there a moment ago and is gone can only be repeated as a new request.
    if (first === undefined) throw new DomainError('UNAVAILABLE')
    return first
  }
}

/** Rolls back the work of a request whose key another request answered first. */
class KeyTaken extends Error {}

const FIND = `SELECT input_hash, answer FROM ${IDEMPOTENCY_TABLE} WHERE user_id = $1 AND route = $2 AND key = $3`
const KEEP = `INSERT INTO ${IDEMPOTENCY_TABLE} (user_id, route, key, input_hash, answer, created_at)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`
