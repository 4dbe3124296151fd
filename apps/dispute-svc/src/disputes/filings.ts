import { type DisputeReason, MAX_DISPUTES_PER_PARTY } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { isUniqueViolation } from '@holdfast/service-kit/database/database-trouble'
import type { EntityManager } from 'typeorm'
import { DisputeEntity } from '../cases/dispute.entity.js'
import { retrySoon } from '../cases/retry-soon.js'

/** The most filings of one user that escrow has not answered yet. Each is repeated until it is answered. */
const MAX_UNANSWERED_FILINGS = 10

/** $1 transaction, $2 reporter. */
const FILINGS_OF = `SELECT
  EXISTS (SELECT FROM dispute WHERE transaction_id = $1 AND status <> 'closed' AND step <> 'freezing'
    AND $2 IN (buyer_id, seller_id)) AS exists,
  (SELECT count(*)::int FROM dispute WHERE reporter_id = $2 AND step = 'freezing') AS unanswered,
  -- The condition on the parties makes the query use their indexes; the reporter of an opened dispute is a party.
  (SELECT count(*)::int FROM dispute WHERE (buyer_id = $2 OR seller_id = $2) AND transaction_id = $1
    AND reporter_id = $2 AND status = 'closed') AS withdrawn`

/**
 * The refusal of a filing whose reporter has another one on the deal that escrow has not answered yet. It may have been written just now.
 * The deal has no dispute yet, and escrow may still refuse the other filing.
 */
const beingFiled = () =>
  new DomainError('CONFLICT', undefined, 'Your dispute about this transaction is being filed. Try again in a moment.')

/** A dispute as a user files it. */
export interface FiledDispute {
  readonly transactionId: number
  readonly reporterId: string
  readonly reason: DisputeReason
  readonly description: string
}

/**
 * Inserts a filing that escrow has to answer. Returns its id.
 *
 * @throws DomainError `DISPUTE_EXISTS`, `DISPUTE_WITHDRAWN_TOO_OFTEN` or `RATE_LIMITED`; `CONFLICT` as `beingFiled`
 */
export async function insertFiling(manager: EntityManager, filing: FiledDispute, now: Date): Promise<{ id: number }> {
  await assertMayFile(manager, filing)
  const { transactionId, reporterId, reason, description } = filing
  const [row]: { id: string }[] = await manager.query(
    `INSERT INTO dispute (transaction_id, reporter_id, reason, description, status, step, retry_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'open', 'freezing', ${retrySoon()}, $5, $5) ON CONFLICT DO NOTHING RETURNING id`,
    [transactionId, reporterId, reason, description, now],
  )
  if (!row) throw beingFiled()
  return { id: Number(row.id) }
}

/**
 * Files a dispute again that escrow has refused. It keeps its id.
 *
 * @throws DomainError `DISPUTE_EXISTS`, `DISPUTE_WITHDRAWN_TOO_OFTEN` or `RATE_LIMITED`; `CONFLICT` as `beingFiled`
 */
export async function fileAgain(manager: EntityManager, filing: FiledDispute, id: number, now: Date): Promise<void> {
  await assertMayFile(manager, filing)
  const again = { status: 'open', step: 'freezing', retryAt: retrySoon, updatedAt: now } as const
  await manager.update(DisputeEntity, { id, step: 'refused' }, again).catch((error: unknown) => {
    throw isUniqueViolation(error) ? beingFiled() : error
  })
}

async function assertMayFile(manager: EntityManager, { transactionId, reporterId }: FiledDispute): Promise<void> {
  const [known]: { exists: boolean; unanswered: number; withdrawn: number }[] = await manager.query(FILINGS_OF, [
    transactionId,
    reporterId,
  ])
  if (known!.exists) throw new DomainError('DISPUTE_EXISTS')
  if (known!.withdrawn >= MAX_DISPUTES_PER_PARTY) throw new DomainError('DISPUTE_WITHDRAWN_TOO_OFTEN')
  if (known!.unanswered >= MAX_UNANSWERED_FILINGS) throw new DomainError('RATE_LIMITED')
}
