/** Coinify's objects, reduced to what we use (coinify.readme.io). They may have more fields than these. */
import { CRYPTO_ASSETS, type CryptoAsset } from '@holdfast/kernel/crypto'
import { type Currency, findAmount } from '@holdfast/kernel/money'
import { z } from 'zod'
import type { Transfer } from './crypto-payment.entity.js'

const MAX_ID_LENGTH = 255
const MAX_TRANSFERS = 100
const Id = z.string().min(1).max(MAX_ID_LENGTH)
const Decimal = z.string().max(60)
const Time = z.iso.datetime({ offset: true })
const Money = z.looseObject({ amount: Decimal, currency: z.string() })

const Quote = Money.extend({ id: Id, address: Id, paymentUri: z.string().max(1_000), expirationTime: Time })
const Payment = Money.extend({
  transactionId: Id,
  receiveTime: Time,
  confirmTime: Time.nullish(),
  automaticRefund: z.looseObject({ amount: Decimal.optional(), state: z.string().optional() }).nullish(),
})

/** A payment intent as its resource and its events show it. */
export const PaymentIntentAnswer = z.looseObject({
  id: Id,
  state: z.string(),
  stateReason: z.string().nullish(),
  requested: Money,
  quotes: z.array(Quote).default([]),
  payments: z.array(Payment).max(MAX_TRANSFERS).default([]),
  /** Refunds that a person has ordered at the processor. */
  merchantRefunds: z
    .array(z.looseObject({ id: Id }))
    .max(MAX_TRANSFERS)
    .default([]),
})

/** A page of the payment intents of our account. */
export const PaymentIntentsAnswer = z.looseObject({
  paymentIntents: z.array(
    z.looseObject({ id: Id, state: z.string(), orderId: z.string().nullish(), requested: Money }),
  ),
})

/** What the list of payment intents says of one. */
export type ListedIntent = z.output<typeof PaymentIntentsAnswer>['paymentIntents'][number]

export const WithdrawalAnswer = z.looseObject({
  id: Id,
  orderId: z.string().nullish(),
  state: z.string(),
  amounts: z.looseObject({ baseAmount: Decimal, baseCurrency: z.string() }),
  destination: z.looseObject({ address: z.string() }),
  context: z.looseObject({ paymentId: z.string().optional() }).nullish(),
})

/** What every event has. `context` depends on the event. */
export const EventBody = z.looseObject({
  id: Id,
  event: Id,
  context: z.looseObject({ id: Id, creditAmount: Decimal.optional(), creditCurrency: z.string().optional() }),
})

/** Where a payment is at the processor. */
export interface CryptoIntent {
  readonly id: string
  readonly state: 'pending' | 'completed' | 'failed'
  readonly reason: string | null
  /** What was asked for, in minor units. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Until when the amount holds, of the latest quote. */
  readonly expiresAt: Date
  readonly transfers: readonly Transfer[]
  readonly merchantRefundIds: readonly string[]
}

/** How much of an asset is to be sent, where, and until when. */
export interface CryptoQuote {
  readonly assetUnits: bigint
  readonly depositAddress: string
  readonly paymentUri: string
  readonly expiresAt: Date
}

/** Money on its way to a wallet, or there. */
export interface Withdrawal {
  readonly id: string
  /** Null when it was not ordered by us. */
  readonly orderId: string | null
  /** The payment that it refunds; null when it was not ordered by us. */
  readonly paymentId: string | null
  readonly status: 'sent' | 'confirmed'
  /** Null for one in another currency than ours. */
  readonly amountMinor: bigint | null
  readonly currency: string
  readonly address: string
}

/** @throws Error when the answer does not fit the asset */
export function toIntent(answer: z.output<typeof PaymentIntentAnswer>, asset: CryptoAsset): CryptoIntent {
  const { requested, state } = answer
  // A transfer of another asset does not pay. The processor settles it with its sender.
  const payments = answer.payments.filter(({ currency }) => currency === CRYPTO_ASSETS[asset].currency)
  const transfers = payments.map(payment => {
    const units = unitsOf(payment, asset)
    const back = payment.automaticRefund
    return {
      transactionId: payment.transactionId,
      units: units.toString(),
      receivedAt: new Date(payment.receiveTime).toISOString(),
      isConfirmed: Boolean(payment.confirmTime),
      // Without an amount, all of it goes back.
      goesBack: back
        ? { units: (back.amount ? inUnits(back.amount, asset) : units).toString(), isSent: back.state === 'completed' }
        : null,
    }
  })
  return {
    id: answer.id,
    state: state === 'completed' || state === 'failed' ? state : 'pending',
    reason: answer.stateReason ?? null,
    amountMinor: inMinor(requested.amount, requested.currency),
    currency: requested.currency,
    expiresAt: toQuote(answer, asset).expiresAt,
    transfers,
    merchantRefundIds: answer.merchantRefunds.map(({ id }) => id),
  }
}

/** The latest quote of an intent, in an asset. @throws Error when it has none */
export function toQuote({ quotes, id }: z.output<typeof PaymentIntentAnswer>, asset: CryptoAsset): CryptoQuote {
  const quote = quotes.findLast(({ currency }) => currency === CRYPTO_ASSETS[asset].currency)
  if (!quote) throw new Error(`the payment intent ${id} has no quote in ${asset}`)
  return {
    assetUnits: unitsOf(quote, asset),
    depositAddress: quote.address,
    paymentUri: quote.paymentUri,
    expiresAt: new Date(quote.expirationTime),
  }
}

export function toWithdrawal(answer: z.output<typeof WithdrawalAnswer>): Withdrawal {
  const { amounts, context, destination, id, orderId, state } = answer
  return {
    ...{ id, orderId: orderId ?? null, address: destination.address, currency: amounts.baseCurrency },
    paymentId: context?.paymentId ?? null,
    status: state === 'completed' ? 'confirmed' : 'sent',
    amountMinor: findMinor(amounts.baseAmount, amounts.baseCurrency),
  }
}

/** An amount in US dollars in cents; null for another currency, and for text that is no amount. */
export const findMinor = (amount: string, currency: string | undefined): bigint | null =>
  currency === 'USD' ? findAmount(withoutZeros(amount), currency) : null

/** An amount without zeros at the end of its decimals: the processor may write more of them than the currency has decimals. */
const withoutZeros = (amount: string): string => amount.replace(/\.0*$|(\.\d*[1-9])0+$/, '$1')

function inMinor(amount: string, currency: string): bigint {
  const minor = findMinor(amount, currency)
  if (minor === null)
    throw new Error(`the crypto processor names ${amount} ${currency}, which is no amount in US dollars`)
  return minor
}

function unitsOf({ amount, currency }: z.output<typeof Money>, asset: CryptoAsset): bigint {
  if (currency !== CRYPTO_ASSETS[asset].currency) throw new Error(`the crypto processor names ${currency} for ${asset}`)
  return inUnits(amount, asset)
}

function inUnits(amount: string, asset: CryptoAsset): bigint {
  const currency: Currency = CRYPTO_ASSETS[asset].currency
  const units = findAmount(withoutZeros(amount), currency)
  if (units === null) throw new Error(`the crypto processor names ${amount}, which is no amount in ${currency}`)
  return units
}
