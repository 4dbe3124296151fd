import { EventEmitter } from 'node:events'
import type { CarrierEventRecord, ParcelRecord, TrackerRecord } from '../carrier/records.js'
import type { IdempotencyRecord } from '../http/idempotency.js'
import type {
  BalanceRecord,
  ChargeRecord,
  DisputeRecord,
  EventRecord,
  IntentRecord,
  PaymentMethodRecord,
  RefundRecord,
} from '../payments/records.js'
import { PendingDeliveries } from '../webhooks/pending.js'
import type { DeliveryRecord, SettingsRecord } from '../webhooks/records.js'
import { DEFAULT_SETTINGS } from '../webhooks/records.js'
import { Collection } from './collection.js'
import { lockFolder } from './folder-lock.js'
import { type Change, Journal } from './journal.js'

const MAX_PAYMENTS = 5_000
const MAX_EVENTS = 2_000
const MAX_DELIVERIES = 2_000
const MAX_IDEMPOTENCY_KEYS = 10_000
const MAX_PARCELS = 2_000

/** Beyond this the sandbox takes no more work until the product has heard of what was done: no event is ever dropped. */
export const MAX_PENDING_DELIVERIES = 6_000
/** Room for what one call adds after the last look at the limit above. */
const HARD_LIMIT = MAX_PENDING_DELIVERIES + 1_000

const isOver = (intent: IntentRecord) => intent.status === 'succeeded' || intent.status === 'canceled'

/**
 * All that the sandbox remembers. Handlers decide and put without waiting, then `commit` makes everything put since the
 * last commit durable as one; until its promise resolves nobody may be answered.
 */
export class State {
  readonly methods = new Collection<PaymentMethodRecord>('methods', MAX_PAYMENTS)
  readonly intents = new Collection<IntentRecord>('intents', MAX_PAYMENTS, { mayGo: isOver })
  readonly charges = new Collection<ChargeRecord>('charges', MAX_PAYMENTS, { mayGo: each => each.status !== 'pending' })
  readonly balance = new Collection<BalanceRecord>('balance', MAX_PAYMENTS)
  readonly refunds = new Collection<RefundRecord>('refunds', MAX_PAYMENTS, { mayGo: each => each.status !== 'pending' })
  readonly disputes = new Collection<DisputeRecord>('disputes', MAX_PAYMENTS)
  readonly pending = new PendingDeliveries()
  readonly events = new Collection<EventRecord>('events', MAX_EVENTS, {
    mayGo: event => this.pending.ofEvent(event.id) === 0,
    hardLimit: HARD_LIMIT,
  })
  readonly carrierEvents = new Collection<CarrierEventRecord>('carrierEvents', MAX_EVENTS, {
    mayGo: event => this.pending.ofEvent(event.id) === 0,
    hardLimit: HARD_LIMIT,
  })
  readonly deliveries = new Collection<DeliveryRecord>('deliveries', MAX_DELIVERIES, {
    mayGo: each => each.status !== 'pending',
    hardLimit: HARD_LIMIT,
    follow: this.pending.follow,
  })
  readonly idempotency = new Collection<IdempotencyRecord>('idempotency', MAX_IDEMPOTENCY_KEYS)
  readonly parcels = new Collection<ParcelRecord>('parcels', MAX_PARCELS)
  readonly trackers = new Collection<TrackerRecord>('trackers', MAX_PARCELS)
  private readonly settingsRecords = new Collection<SettingsRecord>('settings', 1)
  private readonly collections: readonly Pick<
    Collection<{ readonly id: string }>,
    'name' | 'takeChanges' | 'all' | 'clear' | 'restore'
  >[] = [
    this.methods,
    this.intents,
    this.charges,
    this.balance,
    this.refunds,
    this.disputes,
    this.events,
    this.deliveries,
    this.idempotency,
    this.parcels,
    this.trackers,
    this.carrierEvents,
    this.settingsRecords,
  ]

  /** Grows with every commit; two equal versions show the same page. */
  version = 0
  /** `committed` after every durable change; `broken` when the disk refuses one, which ends the process. */
  readonly signals = new EventEmitter<{ committed: []; broken: [Error] }>()
  private journal!: Journal
  private unlock!: () => Promise<void>

  private constructor() {}

  /**
   * Reads what `folder` remembers; an empty or absent folder begins anew.
   *
   * @throws Error when the folder is in use, cannot be written, or its file is damaged
   */
  static async open(folder: string): Promise<State> {
    const state = new State()
    state.unlock = await lockFolder(folder)
    state.journal = await Journal.open(
      folder,
      change => state.restore(change),
      () => state.everything(),
    )
    state.pending.release(state.pending.heldIds())
    return state
  }

  get settings(): SettingsRecord {
    // A file written by an older version may lack newer settings.
    return { ...DEFAULT_SETTINGS, ...this.settingsRecords.get('settings') }
  }

  changeSettings(change: Partial<SettingsRecord>): void {
    this.settingsRecords.put({ ...this.settings, ...change, id: 'settings' })
  }

  /** Resolves when everything put so far, by whomever, is on the disk: what was only seen is then as good as said. */
  async commit(): Promise<void> {
    const changes = this.collections.flatMap(collection => collection.takeChanges())
    if (changes.length === 0) return this.journal.settled()
    const durable = this.pending.heldIds()
    try {
      await this.journal.append(changes)
    } catch (error) {
      // What memory says and the disk does not must never be told to anybody.
      const cause = error instanceof Error ? error : new Error(String(error))
      this.signals.emit('broken', cause)
      throw cause
    }
    this.pending.release(durable)
    this.version++
    this.signals.emit('committed')
  }

  /** Forgets everything, settings included. */
  clear(): void {
    for (const collection of this.collections) collection.clear()
  }

  async close(): Promise<void> {
    await this.journal.close()
    await this.unlock()
  }

  private restore([name, id, value]: Change): void {
    const collection = this.collections.find(each => each.name === name)
    // A collection that no longer exists belongs to an older version; what it remembered is of no use now.
    collection?.restore(id, value)
  }

  private *everything(): Iterable<Change> {
    for (const collection of this.collections) yield* collection.all()
  }
}
