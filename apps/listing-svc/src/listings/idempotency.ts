import { createHash } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import type { EntityManager } from 'typeorm'
import { IdempotencyRecord } from './idempotency-record.entity.js'

/** Whose key, for which route. */
export interface KeyScope {
  readonly userId: string
  readonly route: string
  readonly key: string
}

/** A key is remembered for so long; nobody retries a request of last week. */
export const IDEMPOTENCY_DAYS = 7
/** Old keys that one new key takes along, so that the table never grows by itself and no pass is long. */
const SWEPT_AT_ONCE = 10

/** The hash that tells one input from another. The input comes from a schema, so its fields have an order. */
export const inputHash = (input: unknown): Buffer => createHash('sha256').update(JSON.stringify(input)).digest()

/**
 * The answer this key got before, or null for a new key.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when it came with another input
 */
export async function findAnswer<A extends object>(
  manager: EntityManager,
  scope: KeyScope,
  hash: Buffer,
): Promise<A | null> {
  const known = await manager.findOneBy(IdempotencyRecord, { ...scope })
  if (!known) return null
  if (!hash.equals(known.inputHash)) throw new DomainError('IDEMPOTENCY_KEY_REUSED')
  return known.answer as A | null
}

/**
 * Does `work` once per key, in the dbTx of the manager, and keeps its answer there. A request with the same key that
 * comes meanwhile waits on the key's row for the dbTx to end, then gets the same answer.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the key came with another input
 */
export async function oncePerKey<A extends object>(
  manager: EntityManager,
  scope: KeyScope,
  hash: Buffer,
  now: Date,
  work: () => Promise<A>,
): Promise<A> {
  const claimed: unknown[] = await manager.query(
    `INSERT INTO idempotency_record (user_id, route, key, input_hash, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [scope.userId, scope.route, scope.key, hash, now],
  )
  if (claimed.length === 0) {
    const answer = await findAnswer<A>(manager, scope, hash)
    // Its row was swept between the two statements: the key is a week old, and the next try is a new request.
    if (!answer) throw new DomainError('UNAVAILABLE')
    return answer
  }
  const answer = await work()
  await manager.update(IdempotencyRecord, { ...scope }, { answer })
  await sweep(manager, now)
  return answer
}

async function sweep(manager: EntityManager, now: Date): Promise<void> {
  await manager.query(
    `DELETE FROM idempotency_record WHERE (user_id, route, key) IN
       (SELECT user_id, route, key FROM idempotency_record
         WHERE created_at < $1::timestamptz - $2 * interval '1 day' ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
    [now, IDEMPOTENCY_DAYS, SWEPT_AT_ONCE],
  )
}
