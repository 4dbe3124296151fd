/** The movements of our balance at the provider, reduced to what we use. */
import type { Currency } from '@holdfast/kernel/money'
import type Stripe from 'stripe'

export interface BalanceChanges {
  /** The sums of all movements, per currency in minor units, fees deducted. */
  readonly sums: ReadonlyMap<Currency, bigint>
  readonly accountFees: readonly AccountFee[]
}

/** A fee that the provider took for our account and not for a charge. */
export interface AccountFee {
  /** The id of the balance transaction. */
  readonly id: string
  readonly type: string
  /** Below zero when the provider returned it. */
  readonly amountMinor: bigint
  readonly currency: string
  readonly takenAt: Date
}

/**
 * The types of balance transactions that are nothing but our costs: fees for Stripe's products, for the conversion of currencies, and taxes
 * on fees (docs.stripe.com/reports/balance-transaction-types). An `adjustment` may be anything, so no other type is one of them.
 */
export const ACCOUNT_FEES: ReadonlySet<string> = new Set<Stripe.BalanceTransaction.Type>([
  'stripe_fee',
  'stripe_fx_fee',
  'tax_fee',
])

/** Reads a balance transaction of such a type. */
export const toAccountFee = ({ id, type, net, currency, created }: Stripe.BalanceTransaction): AccountFee => ({
  id,
  type,
  amountMinor: BigInt(-net),
  currency: currency.toUpperCase(),
  takenAt: new Date(created * 1000),
})
