import { disputeOpened, type PayloadOf, type transactionDisputed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import type { DisputeReason } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { type Currency, parseAmount } from '@holdfast/kernel/money'
import { dueWithin } from '@holdfast/service-kit/database/database-time'
import { answerOnce, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, In, IsNull, LessThanOrEqual, Not } from 'typeorm'
import { lockBankOf } from '../cases/bank-wait.js'
import { DisputeEntity } from '../cases/dispute.entity.js'
import { stepOf } from '../cases/domain/life.js'
import { retrySoon } from '../cases/retry-soon.js'
import { closeDispute, factsOf, startClocks, writeHistory } from '../cases/write-case.js'
import type { DisputeConfig } from '../config.js'
import { findCancelled, notEnded, recordEnd } from './deal-ends.js'
import { type FiledDispute, fileAgain, insertFiling } from './filings.js'

/** A deal that escrow has frozen: its parties, what was sold, and the price. */
export interface FrozenDeal {
  readonly buyerId: string
  readonly sellerId: string
  readonly title: string
  readonly amount: string
  readonly currency: Currency
}
type Parties = Pick<FrozenDeal, 'buyerId' | 'sellerId'>

/** A dispute as the system files it. What is known of the deal comes from the event. */
type SystemDispute = Omit<FiledDispute, 'reporterId'> &
  FrozenDeal &
  Pick<PayloadOf<typeof transactionDisputed>, 'version'>

/** The resolution of a dispute for some of the reasons that it may have. */
export type ResolutionByReason = Readonly<Partial<Record<DisputeReason, string>>>

/** Which dispute of a deal has ended, and the words that say how. A dispute whose reason has no resolution here has not ended. */
type EndedDispute = {
  readonly transactionId: number
  /** False leaves a dispute open that is being posted: the answer to that call closes it with its own resolution. */
  readonly alsoSettling?: false
} & (
  | { readonly of: 'system'; readonly resolution: string | ResolutionByReason }
  | { readonly of: 'anyone'; readonly resolution: string }
)

/** Reads and writes disputes. Each change also writes its event. */
@Injectable()
export class DisputesRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: DisputeConfig,
  ) {}

  find(id: number): Promise<DisputeEntity | null> {
    return this.rows.findOneBy({ id })
  }

  /** A dispute whose call to escrow is to be repeated now; null when it is not. */
  findDue(id: number): Promise<DisputeEntity | null> {
    return this.rows.findOneBy({ id, retryAt: dueWithin(0) })
  }

  listDue(aheadMs: number, limit: number): Promise<DisputeEntity[]> {
    return this.rows.find({ where: { retryAt: dueWithin(aheadMs) }, order: { retryAt: 'ASC' }, take: limit })
  }

  /**
   * Commits a filing before the call that freezes its deal, once per idempotency key. Only escrow knows whether the reporter
   * is a party of the deal. Until escrow has answered, no other user sees the filing, and it does not prevent another filing.
   *
   * @returns the filing; for a repeated request, the dispute as it is now. If escrow refused the first filing, a repeated
   * request files it again
   * @throws DomainError `DISPUTE_EXISTS` for a party of a dispute that is not closed; `CONFLICT` for a reporter whose filing on this
   * deal is not answered yet; `DISPUTE_WITHDRAWN_TOO_OFTEN`; `RATE_LIMITED` for a reporter with too many unanswered filings;
   * `IDEMPOTENCY_KEY_REUSED`
   */
  async fileOnce(filing: FiledDispute, key: IdempotencyKey | null, now: Date): Promise<DisputeEntity> {
    const { id } = await this.once(key, now, manager => insertFiling(manager, filing, now))
    const dispute = await this.rows.findOneByOrFail({ id })
    if (dispute.step !== 'refused') return dispute
    await this.dataSource.transaction(manager => fileAgain(manager, filing, id, now))
    return this.rows.findOneByOrFail({ id })
  }

  /**
   * Inserts an open dispute of a deal that escrow has frozen itself. Does nothing when the deal has a dispute already, and when
   * escrow has ended this one since.
   *
   * @param manager the dbTx of the event
   * @param now the time of the event
   */
  async insertOpened(manager: EntityManager, dispute: SystemDispute, now: Date): Promise<void> {
    const { transactionId, reason, description, version } = dispute
    const { buyerId, sellerId, title, priceMinor, currency } = soldOf(dispute)
    const [row]: { id: string }[] = await manager.query(
      `INSERT INTO dispute (transaction_id, buyer_id, seller_id, reason, description, status, step, created_at, updated_at,
         stage, title, price_minor, currency, opened_at, stopped_at_version)
       SELECT $1, $2, $3, $4, $5, 'open', 'settled', $6, $6, 'open', $7, $8, $9, $6, $10 WHERE ${notEnded('$1', '$6')}
       ON CONFLICT DO NOTHING RETURNING id`,
      [transactionId, buyerId, sellerId, reason, description, now, title, priceMinor.toString(), currency, version],
    )
    if (row) await this.announce(manager, Number(row.id), now)
  }

  /**
   * Opens the dispute after escrow has frozen the deal. Does nothing when the dispute is open already or has ended. When the deal
   * was cancelled before the answer of escrow arrived, the dispute is closed at once.
   */
  async markOpened(id: number, deal: FrozenDeal, now: Date): Promise<DisputeEntity> {
    const { transactionId } = await this.rows.findOneByOrFail({ id })
    await this.dataSource.transaction(async manager => {
      await lockBankOf(manager, transactionId)
      const { affected } = await manager.update(
        DisputeEntity,
        // The call may be made twice: escrow may have refused the first call and carried out the second.
        { id, step: In(['freezing', 'refused']) },
        {
          ...soldOf(deal),
          status: 'open',
          stage: 'open',
          step: 'settled',
          openedAt: now,
          retryAt: null,
          updatedAt: now,
        },
      )
      if (affected) await this.announce(manager, id, now)
      const resolution = await findCancelled(manager, transactionId)
      if (affected && resolution) await this.close(manager, { transactionId, of: 'anyone', resolution }, now)
    })
    return this.rows.findOneByOrFail({ id })
  }

  /** Keeps what was sold and its price, which a dispute of an older release does not know. */
  async recordSold(id: number, deal: FrozenDeal, now: Date): Promise<void> {
    const { title, priceMinor, currency } = soldOf(deal)
    await this.rows.update({ id, step: 'settled' }, { title, priceMinor, currency, retryAt: null, updatedAt: now })
  }

  /** Asks escrow no more about what was sold. */
  async stopAsking(id: number): Promise<void> {
    await this.rows.update({ id, step: 'settled' }, { retryAt: null })
  }

  /** Marks a filing that escrow has refused. No user sees it, and it does not prevent another filing. */
  async markRefused(id: number, now: Date): Promise<void> {
    await this.rows.update(
      { id, step: 'freezing' },
      { status: 'closed', stage: 'closed', step: 'refused', retryAt: null, updatedAt: now },
    )
  }

  /**
   * Makes a closed dispute due for a call that resumes its deal, because escrow says that this dispute freezes it. Does
   * nothing for a dispute that is not closed.
   *
   * @param manager the dbTx of the event; without an event it is left out
   * @returns false when there is no such dispute
   */
  async resumeClosed(
    id: number,
    { buyerId, sellerId }: Parties,
    { resolution, now }: { readonly resolution: string; readonly now: Date },
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    await manager.query(
      `UPDATE dispute SET step = 'resuming', retry_at = now(), updated_at = $2, buyer_id = $3, seller_id = $4,
         resolution = coalesce(resolution, $5)
       WHERE id = $1 AND status = 'closed' AND step IN ('settled', 'refused')`,
      [id, now, buyerId, sellerId, resolution],
    )
    return manager.existsBy(DisputeEntity, { id })
  }

  /**
   * Commits a withdrawal before the call that resumes the deal, once per idempotency key.
   *
   * @returns the dispute as it is now. If escrow refused the first withdrawal, a repeated request begins a new one
   * @throws DomainError `CONFLICT` when a mediator has ruled or the dispute is closed, `IDEMPOTENCY_KEY_REUSED`
   */
  async withdrawOnce(id: number, key: IdempotencyKey | null, now: Date): Promise<DisputeEntity> {
    await this.once(key, now, manager => markResuming(manager, id, now))
    const dispute = await this.rows.findOneByOrFail({ id })
    if (dispute.step !== 'settled' || dispute.status === 'closed') return dispute
    await markResuming(this.dataSource.manager, id, now)
    return this.rows.findOneByOrFail({ id })
  }

  /** Takes back a withdrawal that escrow has refused. The dispute is open again. */
  async keepOpen(id: number, now: Date): Promise<void> {
    await this.rows.update(
      { id, step: 'resuming', status: Not('closed') },
      { step: 'settled', retryAt: null, updatedAt: now },
    )
  }

  /**
   * Records that escrow has resumed the deal, and closes the dispute if it was open. An earlier call may have been refused, and may have
   * learned of it only now: then the dispute is `settled` again, although a later call has resumed the deal.
   */
  async markWithdrawn(id: number, resolution: string, now: Date): Promise<DisputeEntity> {
    await this.dataSource.transaction(async manager => {
      const where = { id, step: In(['resuming', 'settled']) }
      const dispute = await manager.findOne(DisputeEntity, { where, lock: { mode: 'pessimistic_write' } })
      if (!dispute) return
      if (dispute.status === 'closed')
        await manager.update(DisputeEntity, { id }, { step: 'settled', retryAt: null, updatedAt: now })
      else await closeDispute(manager, dispute, { step: 'withdrawn', resolution, ...reporterOf(dispute), now })
    })
    return this.rows.findOneByOrFail({ id })
  }

  /**
   * Closes a dispute whose withdrawal escrow has carried out although its answer has not arrived. That is known when escrow stops
   * the deal for another reason: a deal is stopped only when nothing stops it.
   *
   * @param manager the dbTx of the event
   * @param at the time of the event
   */
  async closeResumed(manager: EntityManager, transactionId: number, resolution: string, at: Date): Promise<void> {
    const [row]: { id: string }[] = await manager.query(
      `SELECT id FROM dispute WHERE transaction_id = $1 AND step = 'resuming' AND status <> 'closed' AND opened_at < $2
         AND ${notEnded('$1', '$2')} FOR UPDATE`,
      [transactionId, at],
    )
    if (!row) return
    const dispute = await manager.findOneByOrFail(DisputeEntity, { id: Number(row.id) })
    await closeDispute(manager, dispute, { step: 'withdrawn', resolution, ...reporterOf(dispute), now: at })
  }

  /**
   * Closes the open dispute of a deal, because escrow has ended or resumed the deal itself. Later messages about an earlier freeze
   * open none.
   *
   * @param manager the dbTx of the event
   * @param ended `of: 'system'` closes only a dispute that the system filed before `at`, `anyone` closes any
   * @param at the time of the event
   */
  async closeOpened(manager: EntityManager, ended: EndedDispute, at: Date): Promise<void> {
    const { transactionId, of, resolution } = ended
    await recordEnd(manager, { transactionId, at, cancelled: of === 'anyone' ? resolution : null })
    await this.close(manager, ended, at)
  }

  private async close(manager: EntityManager, ended: EndedDispute, now: Date): Promise<void> {
    const { transactionId, of, resolution } = ended
    const reasons = typeof resolution === 'string' ? null : Object.keys(resolution)
    const where = {
      transactionId,
      status: Not('closed' as const),
      step: In(['settled', 'resuming', ...(ended.alsoSettling === false ? [] : (['settling'] as const))]),
      // A late message about the end of an earlier dispute does not end a later one.
      ...(of === 'system' && { reporterId: IsNull(), openedAt: LessThanOrEqual(now) }),
      ...(reasons && { reason: In(reasons) }),
    }
    const dispute = await manager.findOne(DisputeEntity, { where, lock: { mode: 'pessimistic_write' } })
    if (!dispute) return
    const words = typeof resolution === 'string' ? resolution : resolution[dispute.reason]!
    await closeDispute(manager, dispute, { step: 'closed', resolution: words, by: 'system', userId: null, now })
  }

  async postpone(id: number): Promise<void> {
    await this.rows.update({ id }, { retryAt: retrySoon })
  }

  private async announce(manager: EntityManager, id: number, now: Date): Promise<void> {
    const dispute = await manager.findOneByOrFail(DisputeEntity, { id })
    await startClocks(manager, id, this.config.DAY_SECONDS)
    await writeHistory(manager, id, { step: 'filed', ...reporterOf(dispute), at: now })
    const payload = { ...factsOf(dispute), reporterId: dispute.reporterId }
    await appendToOutbox(manager, newEvent(disputeOpened, id, payload, now))
  }

  /** Does `work` in a dbTx. With a key, a repeated request does nothing and gets the answer of the first one. */
  private once(key: IdempotencyKey | null, now: Date, work: (manager: EntityManager) => Promise<Kept>): Promise<Kept> {
    return key ? answerOnce(this.dataSource, key, now, work) : this.dataSource.transaction(work)
  }

  private get rows() {
    return this.dataSource.getRepository(DisputeEntity)
  }
}

/** The answer that is kept for an idempotency key: the dispute. */
interface Kept {
  readonly id: number
}

async function markResuming(manager: EntityManager, id: number, now: Date): Promise<Kept> {
  const { affected } = await manager.update(
    DisputeEntity,
    // Once a mediator has ruled, the ruling stands unless the parties settle.
    { id, step: 'settled', stage: In([...stepOf('withdraw').from]) },
    { step: 'resuming', retryAt: retrySoon, updatedAt: now },
  )
  if (!affected) throw new DomainError('CONFLICT')
  return { id }
}

/** What a dispute keeps of its deal. */
const soldOf = ({ buyerId, sellerId, title, amount, currency }: FrozenDeal) => ({
  buyerId,
  sellerId,
  title,
  priceMinor: parseAmount(amount, currency),
  currency,
})

/** Who filed a dispute, for its history. */
function reporterOf({ reporterId, buyerId }: DisputeEntity) {
  if (reporterId === null) return { by: 'system', userId: null } as const
  return { by: reporterId === buyerId ? 'buyer' : 'seller', userId: reporterId } as const
}
