import { createHash } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import type { Currency } from '@holdfast/kernel/money'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { UNIQUE_VIOLATION } from '@holdfast/service-kit/database/database-trouble'
import { Inject, Injectable } from '@nestjs/common'
import type pg from 'pg'
import { eventsOf } from './deal-events.js'
import type { Change, Deal } from './domain/deal.js'
import { MoneyPool } from './money-pool.js'
import {
  type DealRow,
  type IdempotencyKey,
  READ_BY_ID,
  READ_BY_INTENT,
  toDeal,
  type WebhookNote,
  WRITE,
  type Write,
  writeValues,
} from './statements.js'

/** How often a command reads again after somebody else changed the deal first. */
const MAX_ATTEMPTS = 8
/**
 * One for each kind of statement below: of each one is out at a time, since a second one out only halves the company that
 * shares a statement (measured).
 */
export const MONEY_CONNECTIONS = 3

/** A decision on the deal as it stands, or null for "nothing to do". Pure: it may be asked again with a newer row. */
export type Decide = (transaction: Deal) => Change | null

/** Who gives the command, as the timeline keeps it, and when. */
export interface Given {
  readonly by: string
  readonly at: Date
}

export interface Outcome {
  readonly transaction: Deal
  readonly change: Change
}

/** What the row of a payment says beside its deal. */
export interface PaidDeal {
  readonly transaction: Deal
  readonly payment: {
    readonly id: string
    readonly status: string
    readonly stray: boolean
    readonly amountMinor: bigint
    readonly currency: Currency
  }
}

/**
 * Loads a deal, lets a pure function decide, and writes all it decided in one statement: `read → decide → write`, again
 * when somebody was faster. Nothing remote happens inside, and nobody sees half of it.
 */
@Injectable()
export class DealsRepository {
  private readonly read
  private readonly readByIntent
  private readonly write

  constructor(@Inject(MoneyPool) private readonly pool: MoneyPool) {
    this.read = batchCalls((asked: readonly ReadKey[]) => this.readMany(asked))
    this.readByIntent = batchCalls((asked: readonly IntentKey[]) => this.readManyByIntent(asked))
    this.write = batchCalls((writes: readonly Write[]) => this.writeMany(writes))
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
  async change(
    id: number,
    given: Given,
    decide: Decide,
    keyed: (IdempotencyKey & { readonly answer: (outcome: Outcome) => unknown }) | null = null,
  ): Promise<Outcome | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = await this.read({ id, key: keyed })
      if (row.id === null) throw new DomainError('TRANSACTION_NOT_FOUND')
      if (row.input_hash && keyed) throw replay(row.input_hash, keyed.inputHash, row.answer)
      const transaction = toDeal(row)
      const change = decide(transaction)
      if (!change) return null
      const outcome = { transaction, change }
      const key = keyed && { ...keyed, answer: keyed.answer(outcome) }
      if (await this.tryWrite({ ...given, transaction, change, keyed: key, webhook: null })) return outcome
    }
    throw new DomainError('CONFLICT')
  }

  /**
   * Changes the deal that a provider's intent pays for, once per webhook event.
   *
   * @returns `outcome` is null when the event was seen before or nothing is to be done; `known` is false when no payment
   * of ours has this intent
   */
  async changeByIntent(
    intent: string,
    webhook: WebhookNote,
    given: Given,
    decide: (deal: PaidDeal) => Change | null,
  ): Promise<{ readonly known: boolean; readonly outcome: Outcome | null }> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = await this.readByIntent({ intent, event: webhook.eventId })
      if (row.id === null || row.seen !== null) return { known: row.id !== null, outcome: null }
      const transaction = toDeal(row)
      const {
        payment_id: id,
        payment_status: status,
        stray,
        payment_minor: amountMinor,
        payment_currency: currency,
      } = row
      const change = decide({ transaction, payment: { id, status, stray, amountMinor, currency } })
      if (!change) return { known: true, outcome: null }
      if (await this.tryWrite({ ...given, transaction, change, keyed: null, webhook }))
        return { known: true, outcome: { transaction, change } }
    }
    throw new DomainError('CONFLICT')
  }

  /** The deal by itself. */
  async find(id: number): Promise<Deal | null> {
    const row = await this.read({ id, key: null })
    return row.id === null ? null : toDeal(row)
  }

  /** The first answer to this key, when there was one. */
  async findAnswer(id: number, key: IdempotencyKey): Promise<unknown> {
    const row = await this.read({ id, key })
    if (!row.input_hash) return undefined
    const replayed = replay(row.input_hash, key.inputHash, row.answer)
    if (replayed instanceof Replayed) return replayed.answer
    throw replayed
  }

  /** False when somebody changed the deal, or used the key or the event, since it was read: read again, decide again. */
  private async tryWrite(write: Omit<Write, 'events'>): Promise<boolean> {
    const events = eventsOf(write.transaction, write.change, write.by, write.at)
    try {
      return await this.write({ ...write, events })
    } catch (error) {
      if (isStale(error)) return false
      throw error
    }
  }

  private async readMany(asked: readonly ReadKey[]): Promise<readonly (DealRow & KeyRow)[]> {
    const keys = asked.map(({ key }) => key)
    return this.pool.run<DealRow & KeyRow>('deal_by_id', READ_BY_ID, [
      asked.map(({ id }) => id),
      keys.map(key => key?.userId ?? null),
      keys.map(key => key?.route ?? null),
      keys.map(key => key?.key ?? null),
    ])
  }

  private async readManyByIntent(asked: readonly IntentKey[]): Promise<readonly (DealRow & IntentRow)[]> {
    return this.pool.run<DealRow & IntentRow>('deal_by_intent', READ_BY_INTENT, [
      asked.map(({ intent }) => intent),
      asked.map(({ event }) => event),
    ])
  }

  private async writeMany(writes: readonly Write[]): Promise<readonly boolean[]> {
    // A deal moves once per statement: its second change was decided on a row that the first one replaces.
    const first = new Map<number, Write>()
    for (const write of writes) if (!first.has(write.transaction.id)) first.set(write.transaction.id, write)
    const rows = await this.pool.run<{ id: bigint }>('deal_write', WRITE, writeValues([...first.values()]))
    const written = new Set(rows.map(row => Number(row.id)))
    this.pool.wrote()
    return writes.map(write => first.get(write.transaction.id) === write && written.has(write.transaction.id))
  }
}

interface ReadKey {
  readonly id: number
  readonly key: IdempotencyKey | null
}
interface KeyRow {
  input_hash: Buffer | null
  answer: unknown
}
interface IntentKey {
  readonly intent: string
  readonly event: string
}
interface IntentRow {
  payment_id: string
  payment_status: string
  stray: boolean
  payment_minor: bigint
  payment_currency: Currency
  seen: string | null
}

/** Thrown out of a command whose key was answered before: the first answer, to be given again. */
export class Replayed extends Error {
  constructor(readonly answer: unknown) {
    super('this key was answered before')
  }
}

function replay(seen: Buffer, asked: Buffer, answer: unknown): Error {
  return seen.equals(asked) ? new Replayed(answer) : new DomainError('IDEMPOTENCY_KEY_REUSED')
}

/** Hashes what a key was used for: the same key with another input is a mistake of the client, not a retry. */
export const hashInput = (input: unknown): Buffer => createHash('sha256').update(JSON.stringify(input)).digest()

const DEADLOCK = '40P01'

/** A key, an event or a listing that somebody else wrote in the same moment, or a deadlock with them: read again. */
function isStale(error: unknown): boolean {
  const { code } = error as pg.DatabaseError
  return code === UNIQUE_VIOLATION || code === DEADLOCK
}
