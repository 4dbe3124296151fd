import { disputeOpened, disputeWithdrawn } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { type DisputeReason, MAX_DISPUTES_PER_PARTY } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, LessThanOrEqual, Not } from 'typeorm'
import { DisputeEntity } from './dispute.entity.js'

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

/** A dispute as a user files it. */
interface FiledDispute {
  readonly transactionId: number
  readonly reporterId: string
  readonly reason: DisputeReason
  readonly description: string
}

/** A dispute as the system files it. The parties come from the event. */
type SystemDispute = Omit<FiledDispute, 'reporterId'> & { readonly buyerId: string; readonly sellerId: string }

/** Reads and writes disputes. Each change also writes its event. */
@Injectable()
export class DisputesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  find(id: number): Promise<DisputeEntity | null> {
    return this.rows.findOneBy({ id })
  }

  /** The disputes of which a user is a party, newest first. A filing that escrow has not answered has no parties yet. */
  listOf(userId: string, limit: number): Promise<DisputeEntity[]> {
    return this.rows.find({ where: [{ buyerId: userId }, { sellerId: userId }], order: { id: 'DESC' }, take: limit })
  }

  listDue(before: Date, limit: number): Promise<DisputeEntity[]> {
    return this.rows.find({ where: { retryAt: LessThanOrEqual(before) }, order: { retryAt: 'ASC' }, take: limit })
  }

  /**
   * Commits a filing before the call that freezes its deal. Only escrow knows whether the reporter is a party. Until it has
   * answered, no other user sees the filing, and it does not prevent another filing.
   *
   * @throws DomainError `DISPUTE_EXISTS` for a party of a dispute that is not closed, and for a reporter whose filing on this
   * deal is not answered yet; `DISPUTE_WITHDRAWN_TOO_OFTEN`; `RATE_LIMITED` for a reporter with too many unanswered filings
   */
  async insertFreezing(dispute: FiledDispute, now: Date, retryAt: Date): Promise<DisputeEntity> {
    const { transactionId, reporterId, reason, description } = dispute
    const [known]: { exists: boolean; unanswered: number; withdrawn: number }[] = await this.dataSource.query(
      FILINGS_OF,
      [transactionId, reporterId],
    )
    if (known!.exists) throw new DomainError('DISPUTE_EXISTS')
    if (known!.withdrawn >= MAX_DISPUTES_PER_PARTY) throw new DomainError('DISPUTE_WITHDRAWN_TOO_OFTEN')
    if (known!.unanswered >= MAX_UNANSWERED_FILINGS) throw new DomainError('RATE_LIMITED')
    const [row]: { id: string }[] = await this.dataSource.query(
      `INSERT INTO dispute (transaction_id, reporter_id, reason, description, status, step, retry_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, 'open', 'freezing', $5, $6, $6) ON CONFLICT DO NOTHING RETURNING id`,
      [transactionId, reporterId, reason, description, retryAt, now],
    )
    if (!row) throw new DomainError('DISPUTE_EXISTS')
    return this.rows.findOneByOrFail({ id: Number(row.id) })
  }

  /**
   * Inserts an open dispute of a deal that escrow has frozen itself. Does nothing when the deal has a dispute already.
   *
   * @param manager the dbTx of the event
   */
  async insertOpened(manager: EntityManager, dispute: SystemDispute, now: Date): Promise<void> {
    const { transactionId, buyerId, sellerId, reason, description } = dispute
    const [row]: { id: string }[] = await manager.query(
      `INSERT INTO dispute (transaction_id, buyer_id, seller_id, reason, description, status, step, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, 'open', 'settled', $6, $6) ON CONFLICT DO NOTHING RETURNING id`,
      [transactionId, buyerId, sellerId, reason, description, now],
    )
    if (row) await this.announce(manager, Number(row.id), now)
  }

  /**
   * Closes the open dispute of a deal, because escrow has ended or resumed the deal itself.
   *
   * @param reason closes only a dispute with this reason; null closes any
   * @param manager the dbTx of the event
   */
  async closeOpened(
    manager: EntityManager,
    dispute: { readonly transactionId: number; readonly reason: DisputeReason | null; readonly resolution: string },
    now: Date,
  ): Promise<void> {
    const { transactionId, reason, resolution } = dispute
    await manager.update(
      DisputeEntity,
      { transactionId, status: Not('closed'), step: Not('freezing'), ...(reason && { reason }) },
      { status: 'closed', step: 'settled', resolution, retryAt: null, updatedAt: now },
    )
  }

  /** Opens the dispute after escrow has frozen the deal. A repeated call changes nothing. */
  async markOpened(id: number, parties: { buyerId: string; sellerId: string }, now: Date): Promise<DisputeEntity> {
    await this.dataSource.transaction(async manager => {
      const { affected } = await manager.update(
        DisputeEntity,
        { id, step: 'freezing' },
        { buyerId: parties.buyerId, sellerId: parties.sellerId, step: 'settled', retryAt: null, updatedAt: now },
      )
      if (affected) await this.announce(manager, id, now)
    })
    return this.rows.findOneByOrFail({ id })
  }

  /** Deletes a filing that escrow has refused. */
  async discard(id: number): Promise<void> {
    await this.rows.delete({ id, step: 'freezing' })
  }

  /** Commits a withdrawal before the call that resumes the deal; false when the dispute is not open. */
  async markResuming(id: number, now: Date, retryAt: Date): Promise<boolean> {
    const { affected } = await this.rows.update(
      { id, step: 'settled', status: 'open' },
      { step: 'resuming', retryAt, updatedAt: now },
    )
    return affected === 1
  }

  /** Takes back a withdrawal that escrow has refused. The dispute is open again. */
  async keepOpen(id: number, now: Date): Promise<void> {
    await this.rows.update({ id, step: 'resuming' }, { step: 'settled', retryAt: null, updatedAt: now })
  }

  /** Closes the dispute after escrow has resumed the deal. */
  async markWithdrawn(id: number, resolution: string, now: Date): Promise<DisputeEntity> {
    await this.dataSource.transaction(async manager => {
      const { affected } = await manager.update(
        DisputeEntity,
        { id, step: 'resuming' },
        { status: 'closed', step: 'settled', resolution, retryAt: null, updatedAt: now },
      )
      if (!affected) return
      const dispute = await manager.findOneByOrFail(DisputeEntity, { id })
      const { transactionId, buyerId, sellerId } = dispute
      if (!buyerId || !sellerId) throw new Error(`dispute ${id} has no parties`)
      await appendToOutbox(
        manager,
        newEvent(disputeWithdrawn, id, { disputeId: id, transactionId, buyerId, sellerId }, now),
      )
    })
    return this.rows.findOneByOrFail({ id })
  }

  async postpone(id: number, retryAt: Date): Promise<void> {
    await this.rows.update({ id }, { retryAt })
  }

  private async announce(manager: EntityManager, id: number, now: Date): Promise<void> {
    const { transactionId, buyerId, sellerId, reporterId } = await manager.findOneByOrFail(DisputeEntity, { id })
    if (!buyerId || !sellerId) throw new Error(`dispute ${id} has no parties`)
    const payload = { disputeId: id, transactionId, buyerId, sellerId, reporterId }
    await appendToOutbox(manager, newEvent(disputeOpened, id, payload, now))
  }

  private get rows() {
    return this.dataSource.getRepository(DisputeEntity)
  }
}
