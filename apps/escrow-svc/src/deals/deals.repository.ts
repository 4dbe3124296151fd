import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { Currency } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { DEADLOCK, UNIQUE_VIOLATION } from '@holdfast/service-kit/database/database-trouble'
import { assertSameInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import { eventsOf } from './deal-events.js'
import { toDeal } from './deal-row.js'
import {
  READ_BY_ID,
  READ_BY_INTENT,
  type ReadById,
  type ReadByIntent,
  type RowById,
  type RowByIntent,
  type WebhookEvent,
  WRITE,
  type Write,
} from './deal-statements.js'
import type { Change, Deal } from './domain/deal.js'
import { MoneyPool } from './money-pool.js'

/** How often a command reads again after another command changed the deal first. */
const MAX_ATTEMPTS = 8
/**
 * One connection for each of the three statements. Of each statement one batch runs at a time: a second one at the same
 * moment only halves the size of both (measured).
 */
export const MONEY_CONNECTIONS = 3

/** A decision on the deal as it stands, or null for "nothing to do". Pure: it may be asked again with a newer row. */
export type Decide = (deal: Deal) => Change | null

/** Who gives a command, as the timeline keeps it, and when. */
export interface Given {
  readonly by: string
  readonly at: Date
}

export interface Outcome {
  readonly deal: Deal
  readonly change: Change
}

/** A client's idempotency key and the answer to keep for it. */
export interface Keyed {
  readonly key: IdempotencyKey
  readonly answer: (outcome: Outcome) => unknown
}

/** A deal with one of its payments. */
export interface DealWithPayment {
  readonly deal: Deal
  readonly payment: {
    readonly id: string
    readonly status: string
    readonly method: PaymentMethod
    readonly stray: boolean
    readonly amountMinor: bigint
    readonly currency: Currency
  }
}

/**
 * Loads a deal, lets a pure function decide, and writes all it decided in one statement: `read → decide → write`, and again
 * when another command was faster. Nothing remote happens inside, and no other command sees a part of it.
 */
@Injectable()
export class DealsRepository {
  private readonly read
  private readonly readByIntent
  private readonly write

  constructor(@Inject(MoneyPool) pool: MoneyPool) {
    this.read = batchCalls((calls: readonly ReadById[]) => pool.run<ReadById, RowById>(READ_BY_ID, calls))
    this.readByIntent = batchCalls((calls: readonly ReadByIntent[]) =>
      pool.run<ReadByIntent, RowByIntent>(READ_BY_INTENT, calls),
    )
    this.write = batchCalls((writes: readonly Write[]) => writeBatch(pool, writes))
  }

  /**
   * Changes a deal.
   *
   * @param keyed the client's idempotency key and what to answer; the answer is kept by the same statement
   * @returns the change, or null when there was nothing to do
   * @throws Replayed when the key was used before for the same input, with the first answer
   * @throws DomainError `TRANSACTION_NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, `CONFLICT` after too many attempts, and
   * whatever `decide` throws
   */
  async change(id: number, given: Given, decide: Decide, keyed: Keyed | null = null): Promise<Outcome | null> {
    const key = keyed?.key ?? null
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = await this.read({ id, key })
      if (row.id === null) throw new DomainError('TRANSACTION_NOT_FOUND')
      if (row.input_hash && key) {
        assertSameInput(row.input_hash, key.inputHash)
        throw new Replayed(row.answer)
      }
      const deal = toDeal(row)
      const change = decide(deal)
      if (!change) return null
      const outcome = { deal, change }
      const answered = keyed && { key: keyed.key, answer: keyed.answer(outcome) }
      if (await this.tryWrite(outcome, given, { answered, webhook: null })) return outcome
    }
    throw new DomainError('CONFLICT')
  }

  /**
   * Changes the deal that a provider's intent pays for, once per webhook event.
   *
   * @returns `outcome` is null when the event was handled before or nothing is to be done; `known` is false when no
   * payment of ours has this intent
   */
  async changeByIntent(
    intentId: string,
    webhook: WebhookEvent,
    given: Given,
    decide: (found: DealWithPayment) => Change | null,
  ): Promise<{ readonly known: boolean; readonly outcome: Outcome | null }> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = await this.readByIntent({ intentId, eventId: webhook.id })
      if (row.id === null || row.handled_event !== null) return { known: row.id !== null, outcome: null }
      const deal = toDeal(row)
      const change = decide({ deal, payment: toPayment(row) })
      if (!change) return { known: true, outcome: null }
      const outcome = { deal, change }
      if (await this.tryWrite(outcome, given, { answered: null, webhook })) return { known: true, outcome }
    }
    throw new DomainError('CONFLICT')
  }

  /** The deal by itself. */
  async find(id: number): Promise<Deal | null> {
    const row = await this.read({ id, key: null })
    return row.id === null ? null : toDeal(row)
  }

  /** False when the deal was changed, or the key or the event used, since it was read: read again, decide again. */
  private async tryWrite(
    { deal, change }: Outcome,
    { by, at }: Given,
    causes: Pick<Write, 'answered' | 'webhook'>,
  ): Promise<boolean> {
    const entries = change.journal.map(entry => ({ id: newId(), ...entry }))
    const events = eventsOf(deal, change, by, at)
    try {
      return await this.write({ deal, change, by, at, ...causes, entries, events })
    } catch (error) {
      if (isStale(error)) return false
      throw error
    }
  }
}

async function writeBatch(pool: MoneyPool, writes: readonly Write[]): Promise<readonly boolean[]> {
  // A deal moves once per statement: its second change was decided on a row that the first one replaces.
  const first = new Map<number, Write>()
  for (const write of writes) if (!first.has(write.deal.id)) first.set(write.deal.id, write)
  const rows = await pool.run<Write, { id: bigint }>(WRITE, [...first.values()])
  const written = new Set(rows.map(row => Number(row.id)))
  pool.wrote()
  return writes.map(write => first.get(write.deal.id) === write && written.has(write.deal.id))
}

const toPayment = (row: RowByIntent): DealWithPayment['payment'] => ({
  id: row.payment_id,
  status: row.payment_status,
  method: row.payment_method,
  stray: row.stray,
  amountMinor: row.payment_minor,
  currency: row.payment_currency,
})

/** Thrown out of a command whose key was answered before: the first answer, to be given again. */
export class Replayed extends Error {
  constructor(readonly answer: unknown) {
    super('this key was answered before')
  }
}

/** Another command wrote the same key, event or listing at the same moment, or the two deadlocked: read again. */
function isStale(error: unknown): boolean {
  const { code } = error as pg.DatabaseError
  return code === UNIQUE_VIOLATION || code === DEADLOCK
}
