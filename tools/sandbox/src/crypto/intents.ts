/** Payments in cryptocurrency: a merchant asks for an amount, and money comes, in any amount and at any time. */
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.js'
import { newAddress, newTransactionId, OF_ASSET, unitsOf } from './assets.js'
import type { Asset, AutomaticRefund, CryptoIntentRecord, CryptoPaymentRecord, QuoteRecord } from './records.js'
import { renderIntent } from './render.js'
import { tell } from './tell.js'

/** How long the amount of a quote holds, in days: a quarter of an hour when a day has 24 hours. */
const QUOTE_DAYS = 1 / 96
/** A day may be shortened for a demo. A quote holds at least this long, so that a person can pay it. */
const SHORTEST_QUOTE_MS = 60_000

export function createIntent(
  context: Context,
  wanted: Pick<CryptoIntentRecord, 'amount' | 'currency' | 'orderId' | 'customerId'>,
): CryptoIntentRecord {
  const createdAt = context.now()
  return context.state.cryptoIntents.put({
    ...wanted,
    id: randomUUID(),
    createdAt,
    state: 'pending',
    stateReason: null,
    quotes: [],
    payments: [],
  })
}

/** Names an amount in an asset and an address for it. An intent may have several quotes; each holds for itself. */
export function addQuote(
  context: Context,
  intent: CryptoIntentRecord,
  asset: Asset,
  refundAddress: string | null,
): CryptoIntentRecord {
  const holdsMs = Math.max(SHORTEST_QUOTE_MS, QUOTE_DAYS * context.config.daySeconds * 1000)
  const quote: QuoteRecord = {
    id: randomUUID(),
    asset,
    units: unitsOf(intent.amount, asset).toString(),
    address: newAddress(asset),
    refundAddress,
    expiresAt: context.now() + holdsMs,
  }
  return context.state.cryptoIntents.put({ ...intent, quotes: [...intent.quotes, quote] })
}

/** A transaction to the address of the latest quote appears in its network. Nothing is told before it is confirmed. */
export function send(context: Context, intent: CryptoIntentRecord, units: bigint): CryptoIntentRecord {
  const quote = latestQuote(intent)
  const payment: CryptoPaymentRecord = {
    quoteId: quote.id,
    units: units.toString(),
    transactionId: newTransactionId(quote.asset),
    receivedAt: context.now(),
    confirmations: 0,
    confirmedAt: null,
    automaticRefund: null,
  }
  return context.state.cryptoIntents.put({ ...intent, payments: [...intent.payments, payment] })
}

/** The networks add so many blocks: what is confirmed now decides what becomes of the intent. */
export function addConfirmations(context: Context, intent: CryptoIntentRecord, blocks: number): CryptoIntentRecord {
  let current = intent
  for (const [at, payment] of intent.payments.entries()) {
    if (payment.confirmedAt !== null) continue
    const confirmations = payment.confirmations + blocks
    const needed = OF_ASSET[quoteOf(intent, payment).asset].confirmations
    const isConfirmed = confirmations >= needed
    current = withPayment(current, at, {
      ...payment,
      confirmations,
      confirmedAt: isConfirmed ? context.now() : null,
    })
    if (isConfirmed) current = judge(context, current, at)
  }
  return context.state.cryptoIntents.put(current)
}

/** The network forgets the transactions that it has not confirmed, as after a reorganisation. */
export function reorganise(context: Context, intent: CryptoIntentRecord): CryptoIntentRecord {
  return context.state.cryptoIntents.put({
    ...intent,
    payments: intent.payments.filter(({ confirmedAt }) => confirmedAt !== null),
  })
}

/** The amounts of an intent hold no longer. */
export function expire(context: Context, intent: CryptoIntentRecord): CryptoIntentRecord {
  const now = context.now()
  const quotes = intent.quotes.map(quote => ({ ...quote, expiresAt: Math.min(quote.expiresAt, now) }))
  return endIfExpired(context, context.state.cryptoIntents.put({ ...intent, quotes }))
}

/** Ends an intent whose quotes have expired, unless a payment that came in time waits for its network. */
export function endIfExpired(context: Context, intent: CryptoIntentRecord): CryptoIntentRecord {
  const now = context.now()
  const { state, quotes, payments } = intent
  const waits = payments.some(each => each.confirmedAt === null && isInTime(intent, each))
  if (state !== 'pending' || quotes.length === 0 || waits || quotes.some(({ expiresAt }) => expiresAt > now))
    return intent
  return end(context, intent, 'failed', 'failed_expired')
}

/** What the processor sends back arrives. */
export function completeAutomaticRefunds(context: Context, intent: CryptoIntentRecord): CryptoIntentRecord {
  const payments = intent.payments.map(each =>
    each.automaticRefund
      ? { ...each, automaticRefund: { ...each.automaticRefund, state: 'completed' as const } }
      : each,
  )
  return context.state.cryptoIntents.put({ ...intent, payments })
}

export const latestQuote = (intent: CryptoIntentRecord): QuoteRecord => {
  const quote = intent.quotes.at(-1)
  if (!quote) throw new Error(`the payment intent ${intent.id} has no quote`)
  return quote
}

/** Whether a payment was sent while its quote held. */
const isInTime = (intent: CryptoIntentRecord, payment: CryptoPaymentRecord) =>
  payment.receivedAt <= quoteOf(intent, payment).expiresAt

function quoteOf(intent: CryptoIntentRecord, { quoteId }: Pick<CryptoPaymentRecord, 'quoteId'>): QuoteRecord {
  return intent.quotes.find(({ id }) => id === quoteId) ?? latestQuote(intent)
}

/** Decides what a confirmed payment does: it completes the intent, or it goes back. */
function judge(context: Context, intent: CryptoIntentRecord, at: number): CryptoIntentRecord {
  const payment = intent.payments[at]!
  const quote = quoteOf(intent, payment)
  const [sent, asked] = [BigInt(payment.units), BigInt(quote.units)]
  if (intent.state !== 'pending') return withRefund(context, intent, at, sent)
  if (!isInTime(intent, payment)) return end(context, withRefund(context, intent, at, sent), 'failed', 'failed_late')
  if (sent < asked) return end(context, withRefund(context, intent, at, sent), 'failed', 'failed_underpaid')
  if (sent === asked) return end(context, intent, 'completed', 'completed_exact_amount')
  return end(context, withRefund(context, intent, at, sent - asked), 'completed', 'completed_overpaid')
}

function end(
  context: Context,
  intent: CryptoIntentRecord,
  state: 'completed' | 'failed',
  stateReason: string,
): CryptoIntentRecord {
  const ended = context.state.cryptoIntents.put({ ...intent, state, stateReason })
  const credit = { creditAmount: renderIntent(ended).requested.amount, creditCurrency: ended.currency }
  tell(context, `payment-intent.${state}`, { ...renderIntent(ended), ...(state === 'completed' && credit) }, ended.id)
  return ended
}

function withRefund(context: Context, intent: CryptoIntentRecord, at: number, units: bigint): CryptoIntentRecord {
  const payment = intent.payments[at]!
  const { refundAddress, asset } = quoteOf(intent, payment)
  const automaticRefund: AutomaticRefund = {
    id: randomUUID(),
    units: units.toString(),
    address: refundAddress ?? newAddress(asset),
    state: context.state.settings.refunds === 'at_once' ? 'completed' : 'initiated',
  }
  return withPayment(intent, at, { ...payment, automaticRefund })
}

function withPayment(intent: CryptoIntentRecord, at: number, payment: CryptoPaymentRecord): CryptoIntentRecord {
  return { ...intent, payments: intent.payments.map((each, n) => (n === at ? payment : each)) }
}
