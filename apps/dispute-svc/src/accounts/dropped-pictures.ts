import { type PayloadOf, picturesChecked, type picturesDropped } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import type { EntityManager } from 'typeorm'

const WITHOUT_EVIDENCE = `SELECT hash FROM unnest($1::text[]) hash
  WHERE NOT EXISTS (
    SELECT FROM evidence e WHERE hash = ANY(e.images)
      AND NOT EXISTS (SELECT FROM evidence_pictures p WHERE p.dispute_id = e.dispute_id AND p.n = e.n))`

/**
 * Answers which pictures of a closed account no evidence needs. A picture is stored under the hash of its bytes: when the services share a
 * storage, a picture of a listing can be evidence of an earlier release, too. Later evidence has encrypted copies of its own.
 */
export async function answerDropped(
  { userId, hashes }: PayloadOf<typeof picturesDropped>,
  dbTx: EntityManager,
): Promise<void> {
  const free: { hash: string }[] = await dbTx.query(WITHOUT_EVIDENCE, [hashes])
  if (free.length === 0) return
  const payload = { userId, hashes: free.map(({ hash }) => hash) }
  await appendToOutbox(dbTx, newEvent(picturesChecked, userId, payload, await databaseTime(dbTx)))
}
