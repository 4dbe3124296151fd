import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import type { BatchStatement } from '@holdfast/service-kit/database/batch-statement'
import { rowsWithin } from '@holdfast/service-kit/database/bigint-rows'
import { DEADLOCK, UNIQUE_VIOLATION } from '@holdfast/service-kit/database/database-trouble'
import { assertSameInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import type { EntityManager } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import {
  type DealWithChargeback,
  type DealWithPayment,
  type DealWithRefund,
  toChargeback,
  toFound,
  toRefunds,
} from './deal-by-payment.js'
import { eventsOf } from './deal-events.js'
import {
  READ_BY_CHARGEBACK,
  READ_BY_ID,
  READ_BY_INTENT,
  READ_BY_REFUND,
  type ReadByChargeback,
  type ReadById,
  type ReadByIntent,
  type ReadByRefund,
  type RowByChargeback,
  type RowById,
  type RowByIntent,
  type RowByRefund,
} from './deal-reads.js'
import { type DealRow, toDeal } from './deal-row.js'
import { type WebhookEvent, WRITE, type Write } from './deal-write.js'
import type { Change, ChangedBy, Deal } from './domain/deal.js'
import { MoneyPool } from './money-pool.js'

/** How often a command is tried. It is tried again when another command changed the deal first. */
const MAX_ATTEMPTS = 8
/**
 * One connection for each of the three statements. Each statement runs one batch at a time: a second batch at the same
 * time only makes both half as large (measured).
 */
export const MONEY_CONNECTIONS = 3
/**
 * The provider's fee of a charge is read this long after the payment: ten minutes when a day has 24 hours. No deal depends on it.
 */
const FEE_READ_AFTER_DAYS = 10 / (24 * 60)

/** The database's time when a deal was read. No process decides by its own clock, because that may be wrong. */
export interface ReadTime {
  /** The time of the command: clocks start at it, and it is written as the time of the change. */
  readonly now: Date
  /** A clock that is due by this time may be ended: now, or earlier when no replica could act lately (`outages/`). */
  readonly clocksEndUntil: Date
}

/**
 * Decides on the deal as it was read; null means that nothing is to be done. When the deal has changed since, it runs again on
 * the newer row, with a later time.
 */
export type Decide = (deal: Deal, time: ReadTime) => Change | null

/** What a command did: the deal as it was read, and the change that was written. */
export interface Outcome {
  readonly deal: Deal
  readonly change: Change
}

/** A client's idempotency key and the answer to keep for it. */
export interface KeptAnswer {
  readonly key: IdempotencyKey
  readonly answer: (outcome: Outcome) => unknown
}

/** What a webhook event did: `known` is false when no payment of ours has its intent. */
interface ByWebhook {
  readonly known: boolean
  readonly outcome: Outcome | null
}

/**
 * Reads a deal, lets a pure function decide, and writes the whole change in one statement. When another command changed the
 * deal in between, it reads and decides again. No other service is called in between, and no command sees half a change.
 */
@Injectable()
export class DealsRepository {
  private readonly read
  private readonly readByIntent
  private readonly write
  private readonly feeReadAfterMs: number

  constructor(
    @Inject(MoneyPool) private readonly pool: MoneyPool,
    @Inject(CONFIG) config: EscrowConfig,
  ) {
    this.feeReadAfterMs = FEE_READ_AFTER_DAYS * config.DAY_SECONDS * 1000
    this.read = batchCalls('deal_read', (calls: readonly ReadById[]) => pool.run<ReadById, RowById>(READ_BY_ID, calls))
    this.readByIntent = batchCalls('deal_read_by_payment', (calls: readonly ReadByIntent[]) =>
      pool.run<ReadByIntent, RowByIntent>(READ_BY_INTENT, calls),
    )
    this.write = batchCalls('deal_write', (writes: readonly Write[]) => writeBatch(pool, writes))
  }

  /**
   * Changes a deal.
   *
   * @param keep the client's idempotency key and the answer to keep for it; the same statement writes both
   * @returns the change, or null when there was nothing to do
   * @throws Replayed with the first answer, when the key was used before for the same input
   * @throws DomainError `TRANSACTION_NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `CONFLICT` after too many attempts, and
   * whatever `decide` throws
   */
  async change(id: number, by: ChangedBy, decide: Decide, keep: KeptAnswer | null = null): Promise<Outcome | null> {
    const key = keep?.key ?? null
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = await this.read({ id, key })
      if (row.id === null) throw new DomainError('TRANSACTION_NOT_FOUND')
      if (row.input_hash && key) {
        assertSameInput(row.input_hash, key.inputHash)
        throw new Replayed(row.answer)
      }
      const deal = toDeal(row)
      const change = decide(deal, timeOf(row))
      if (!change) return null
      const outcome = { deal, change }
      const answered = keep && { key: keep.key, answer: keep.answer(outcome) }
      if (await this.tryWrite(outcome, { by, at: row.now, answered, webhook: null })) return outcome
    }
    throw new DomainError('CONFLICT')
  }

  /**
   * Changes a deal in the caller's dbTx, for a change that must be committed together with something else. The deal stays locked
   * until that dbTx ends. The caller calls `wakeRelay` afterwards.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`, and whatever `decide` throws
   */
  async changeWithin(
    dbTx: EntityManager,
    id: number,
    by: ChangedBy,
    decide: (deal: Deal, time: ReadTime) => Change,
  ): Promise<Outcome> {
    await dbTx.query('SELECT FROM escrow.transaction WHERE id = $1 FOR UPDATE', [id])
    const [row] = await rowsWithin<RowById>(dbTx, {
      text: READ_BY_ID.text,
      values: READ_BY_ID.values([{ id, key: null }]),
    })
    if (!row || row.id === null) throw new DomainError('TRANSACTION_NOT_FOUND')
    const deal = toDeal(row)
    const outcome = { deal, change: decide(deal, timeOf(row)) }
    const write = this.writeOf(outcome, { by, at: row.now, answered: null, webhook: null })
    const written = await rowsWithin(dbTx, { text: WRITE.text, values: WRITE.values([write]) })
    if (written.length !== 1) throw new Error(`deal ${id} is locked and was not written`)
    return outcome
  }

  /** Wakes the outbox relay, which publishes the events of a change that was committed in a dbTx of the caller. */
  wakeRelay(): void {
    this.pool.onWrite()
  }

  /**
   * Changes the deal that a payment intent pays for, once per webhook event.
   *
   * @returns `outcome`: null when the event was handled before or nothing is to be done; `known`: false when no payment of
   * ours has this intent
   * @throws DomainError `CONFLICT` after too many attempts
   */
  async changeByIntent(
    intentId: string,
    webhook: WebhookEvent,
    by: ChangedBy,
    decide: (found: DealWithPayment, time: ReadTime) => Change | null,
  ): Promise<ByWebhook> {
    return this.changeByWebhook(
      () => this.readByIntent({ intentId, eventId: webhook.id }),
      webhook,
      by,
      row => decide(toFound(row), timeOf(row)),
    )
  }

  /**
   * Changes the deal of a payment that was refunded at the provider by hand, once per webhook event. Every change of such a
   * refund is written with its deal, so the deal's version also guards what was read of the refund.
   *
   * @returns as `changeByIntent`
   * @throws DomainError `CONFLICT` after too many attempts, and whatever `decide` throws
   */
  changeByRefund(
    read: { readonly intentId: string; readonly providerRefundId: string },
    webhook: WebhookEvent,
    by: ChangedBy,
    decide: (found: DealWithRefund, time: ReadTime) => Change | null,
  ): Promise<ByWebhook> {
    return this.changeByWebhook(
      () => this.readOne<ReadByRefund, RowByRefund>(READ_BY_REFUND, { ...read, eventId: webhook.id }),
      webhook,
      by,
      row => decide({ ...toFound(row), ...toRefunds(row) }, timeOf(row)),
    )
  }

  /**
   * Changes the deal of a payment that is charged back, once per webhook event. Every change of a chargeback is written with
   * its deal, so the deal's version also guards what was read of the chargeback.
   *
   * @returns as `changeByIntent`
   * @throws DomainError `CONFLICT` after too many attempts, and whatever `decide` throws
   */
  changeByChargeback(
    read: { readonly intentId: string; readonly chargebackId: string },
    webhook: WebhookEvent,
    by: ChangedBy,
    decide: (found: DealWithChargeback, time: ReadTime) => Change | null,
  ): Promise<ByWebhook> {
    return this.changeByWebhook(
      () => this.readOne<ReadByChargeback, RowByChargeback>(READ_BY_CHARGEBACK, { ...read, eventId: webhook.id }),
      webhook,
      by,
      row => decide({ ...toFound(row), ...toChargeback(row) }, timeOf(row)),
    )
  }

  private async changeByWebhook<R extends RowByIntent>(
    read: () => Promise<R>,
    webhook: WebhookEvent,
    by: ChangedBy,
    decide: (row: R) => Change | null,
  ): Promise<ByWebhook> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = await read()
      if (row.id === null || row.handled_event !== null) return { known: row.id !== null, outcome: null }
      const change = decide(row)
      if (!change) return { known: true, outcome: null }
      const outcome = { deal: toDeal(row), change }
      if (await this.tryWrite(outcome, { by, at: row.now, answered: null, webhook })) return { known: true, outcome }
    }
    throw new DomainError('CONFLICT')
  }

  /** Runs one read in a statement of its own: it is too rare to be batched. */
  private async readOne<I, R extends pg.QueryResultRow>(statement: BatchStatement<I>, read: I): Promise<R> {
    const [row] = await this.pool.run<I, R>(statement, [read])
    return row!
  }

  /** The first answer to an idempotency key; undefined for a new key. @throws DomainError `IDEMPOTENCY_KEY_REUSED` */
  async findAnswer(id: number, key: IdempotencyKey): Promise<unknown> {
    const { input_hash, answer } = await this.read({ id, key })
    if (!input_hash) return undefined
    assertSameInput(input_hash, key.inputHash)
    return answer
  }

  /** The deal, or null when there is none. */
  async find(id: number): Promise<Deal | null> {
    return (await this.findAt(id))?.deal ?? null
  }

  /** The deal and the time at which it was read; null when there is none. */
  async findAt(id: number): Promise<{ readonly deal: Deal; readonly time: ReadTime } | null> {
    const row = await this.read({ id, key: null })
    return row.id === null ? null : { deal: toDeal(row), time: timeOf(row) }
  }

  /** False when the deal has changed, or the key or the event was used, since the read. The caller must read again. */
  private async tryWrite(
    outcome: Outcome,
    command: Pick<Write, 'by' | 'at' | 'answered' | 'webhook'>,
  ): Promise<boolean> {
    try {
      return await this.write(this.writeOf(outcome, command))
    } catch (error) {
      if (isStale(error)) return false
      throw error
    }
  }

  private writeOf({ deal, change }: Outcome, command: Pick<Write, 'by' | 'at' | 'answered' | 'webhook'>): Write {
    const entries = change.journal.map(entry => ({ id: newId(), ...entry }))
    const at = change.notBefore && change.notBefore > command.at ? change.notBefore : command.at
    const hasFee = change.settles && !change.settles.withoutCharge
    const feeDueAt = hasFee ? new Date(at.getTime() + this.feeReadAfterMs) : null
    return { deal, change, ...command, at, feeDueAt, entries, events: eventsOf(deal, change, command.by, at) }
  }
}

const timeOf = (row: DealRow): ReadTime => ({ now: row.now, clocksEndUntil: row.clocks_end_until })

async function writeBatch(pool: MoneyPool, writes: readonly Write[]): Promise<readonly boolean[]> {
  // A deal changes once per statement: its second change was decided on the row that the first change replaces.
  const first = new Map<number, Write>()
  for (const write of writes) if (!first.has(write.deal.id)) first.set(write.deal.id, write)
  // All replicas lock rows in the order of their ids. Otherwise two batches could each wait for a row that the other has locked.
  const inOrder = [...first.values()].sort((a, b) => a.deal.id - b.deal.id)
  const rows = await pool.run<Write, { id: bigint }>(WRITE, inOrder)
  const written = new Set(rows.map(row => Number(row.id)))
  pool.onWrite()
  return writes.map(write => first.get(write.deal.id) === write && written.has(write.deal.id))
}

/** Thrown by a command whose idempotency key was used before. It carries the first answer. */
export class Replayed extends Error {
  constructor(readonly answer: unknown) {
    super('this idempotency key was used before')
  }
}

/** Another command wrote the same key or event at the same time, or the two deadlocked. */
function isStale(error: unknown): boolean {
  const { code } = error as pg.DatabaseError
  return code === UNIQUE_VIOLATION || code === DEADLOCK
}
