import { EventEmitter } from 'node:events'
import type { InvoiceRecord, PriceRecord, ProductRecord, SubscriptionRecord } from '../billing/records.js'
import type { CarrierEventRecord, ParcelRecord, TrackerRecord } from '../carrier/records.js'
import type { AccountLinkRecord, AccountRecord, PayoutRecord, TransferRecord } from '../connect/records.js'
import type { CryptoEventRecord, CryptoIntentRecord, WithdrawalRecord } from '../crypto/records.js'
import type { IdempotencyRecord } from '../http/idempotency.js'
import type { MailRecord } from '../mail/records.js'
import type {
  BalanceRecord,
  CashRecord,
  ChargeRecord,
  CustomerRecord,
  DisputeRecord,
  EventRecord,
  IntentRecord,
  PaymentMethodRecord,
  RefundRecord,
  SetupIntentRecord,
} from '../payments/records.js'
import type { PushBrowserRecord, PushMessageRecord } from '../push/records.js'
import type { SmsRecord } from '../sms/records.js'
import { PendingDeliveries } from '../webhooks/pending.js'
import type { DeliveryRecord, SettingsRecord } from '../webhooks/records.js'
import { DEFAULT_SETTINGS } from '../webhooks/records.js'
import { Collection } from './collection.js'
import type { Change, Store } from './store.js'

const MAX_PAYMENTS = 5_000
const MAX_PRICES = 100
const MAX_EVENTS = 2_000
const MAX_DELIVERIES = 2_000
const MAX_IDEMPOTENCY_KEYS = 10_000
const MAX_PARCELS = 2_000
const MAX_MAILS = 1_000

/** Beyond this many undelivered events the sandbox takes no more work: no event is ever dropped. */
export const MAX_PENDING_DELIVERIES = 6_000
/** Room for what one call adds after the last look at the limit above. */
const HARD_LIMIT = MAX_PENDING_DELIVERIES + 1_000

const isOver = (intent: IntentRecord) => intent.status === 'succeeded' || intent.status === 'canceled'

/**
 * All that the sandbox remembers. Handlers decide and put without waiting, then `commit` makes everything put since the
 * last commit durable as one; until its promise resolves no call may be answered.
 */
export class State {
  readonly methods = new Collection<PaymentMethodRecord>('methods', MAX_PAYMENTS, {
    mayGo: each => each.customerId === undefined,
  })
  readonly setups = new Collection<SetupIntentRecord>('setups', MAX_PAYMENTS)
  readonly intents = new Collection<IntentRecord>('intents', MAX_PAYMENTS, { mayGo: isOver })
  readonly charges = new Collection<ChargeRecord>('charges', MAX_PAYMENTS, { mayGo: each => each.status !== 'pending' })
  readonly balance = new Collection<BalanceRecord>('balance', MAX_PAYMENTS)
  readonly refunds = new Collection<RefundRecord>('refunds', MAX_PAYMENTS, { mayGo: each => each.status !== 'pending' })
  readonly customers = new Collection<CustomerRecord>('customers', MAX_PAYMENTS)
  readonly cash = new Collection<CashRecord>('cash', MAX_PAYMENTS)
  readonly disputes = new Collection<DisputeRecord>('disputes', MAX_PAYMENTS)
  readonly products = new Collection<ProductRecord>('products', MAX_PRICES)
  readonly prices = new Collection<PriceRecord>('prices', MAX_PRICES)
  readonly subscriptions = new Collection<SubscriptionRecord>('subscriptions', MAX_PAYMENTS, {
    mayGo: each => each.endedAt !== null,
  })
  readonly invoices = new Collection<InvoiceRecord>('invoices', MAX_PAYMENTS, {
    mayGo: each => each.status === 'paid' || each.status === 'void',
  })
  readonly accounts = new Collection<AccountRecord>('accounts', MAX_PAYMENTS)
  readonly accountLinks = new Collection<AccountLinkRecord>('accountLinks', MAX_PAYMENTS)
  readonly transfers = new Collection<TransferRecord>('transfers', MAX_PAYMENTS)
  readonly payouts = new Collection<PayoutRecord>('payouts', MAX_PAYMENTS, { mayGo: each => each.settlesAt === null })
  readonly pending = new PendingDeliveries()
  readonly events = new Collection<EventRecord>('events', MAX_EVENTS, {
    mayGo: event => this.pending.ofEvent(event.id) === 0,
    hardLimit: HARD_LIMIT,
  })
  readonly carrierEvents = new Collection<CarrierEventRecord>('carrierEvents', MAX_EVENTS, {
    mayGo: event => this.pending.ofEvent(event.id) === 0,
    hardLimit: HARD_LIMIT,
  })
  readonly cryptoIntents = new Collection<CryptoIntentRecord>('cryptoIntents', MAX_PAYMENTS, {
    mayGo: each => each.state !== 'pending',
  })
  readonly withdrawals = new Collection<WithdrawalRecord>('withdrawals', MAX_PAYMENTS, {
    mayGo: each => each.state === 'completed',
  })
  readonly cryptoEvents = new Collection<CryptoEventRecord>('cryptoEvents', MAX_EVENTS, {
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
  readonly mails = new Collection<MailRecord>('mails', MAX_MAILS)
  readonly texts = new Collection<SmsRecord>('texts', MAX_MAILS)
  readonly pushBrowsers = new Collection<PushBrowserRecord>('pushBrowsers', MAX_MAILS)
  readonly pushMessages = new Collection<PushMessageRecord>('pushMessages', MAX_MAILS)
  private readonly settingsRecords = new Collection<SettingsRecord>('settings', 1)
  private readonly collections: readonly Pick<
    Collection<{ readonly id: string }>,
    'name' | 'takeChanges' | 'clear' | 'restore'
  >[] = [
    this.methods,
    this.setups,
    this.intents,
    this.charges,
    this.balance,
    this.refunds,
    this.customers,
    this.cash,
    this.disputes,
    this.products,
    this.prices,
    this.subscriptions,
    this.invoices,
    this.accounts,
    this.accountLinks,
    this.transfers,
    this.payouts,
    this.cryptoIntents,
    this.withdrawals,
    this.cryptoEvents,
    this.events,
    this.deliveries,
    this.idempotency,
    this.parcels,
    this.trackers,
    this.carrierEvents,
    this.mails,
    this.texts,
    this.pushBrowsers,
    this.pushMessages,
    this.settingsRecords,
  ]

  /** Grows with every commit; two equal versions show the same page. */
  version = 0
  /** `committed` after every durable change; `broken` when one could not be kept, which ends the process. */
  readonly signals = new EventEmitter<{ committed: []; broken: [Error] }>()

  private constructor(private readonly store: Store) {}

  /** Reads what the store keeps; an empty store begins anew. */
  static async open(store: Store): Promise<State> {
    const state = new State(store)
    for (const change of await store.load()) state.restore(change)
    state.pending.release(state.pending.heldIds())
    return state
  }

  get settings(): SettingsRecord {
    // Settings kept by an older version may lack newer ones.
    return { ...DEFAULT_SETTINGS, ...this.settingsRecords.get('settings') }
  }

  changeSettings(change: Partial<SettingsRecord>): void {
    this.settingsRecords.put({ ...this.settings, ...change, id: 'settings' })
  }

  /** Resolves when everything put so far is kept, also what another call has put: an answer may contain that. */
  async commit(): Promise<void> {
    const changes = this.collections.flatMap(collection => collection.takeChanges())
    if (changes.length === 0) return this.store.settled()
    const durable = this.pending.heldIds()
    try {
      await this.store.append(changes)
    } catch (error) {
      // No answer may contain what only the memory has.
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
    await this.store.close()
  }

  private restore([name, id, value]: Change): void {
    const collection = this.collections.find(each => each.name === name)
    // A collection that no longer exists belongs to an older version; what it remembered is of no use now.
    collection?.restore(id, value)
  }
}
