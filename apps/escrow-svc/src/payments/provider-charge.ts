/** A charge at the provider, reduced to what we use. Stripe's own types stay here and in `stripe.provider.ts`. */
import type { CardUsed } from '@holdfast/contracts/receipts'
import type Stripe from 'stripe'

export interface ProviderCharge {
  /** The provider's fee, in its own currency; null while the provider does not know it yet. */
  readonly fee: { readonly feeMinor: bigint; readonly currency: string } | null
  /** The card that was charged; null for another method. */
  readonly card: CardUsed | null
}

/** Reads Stripe's charge, whose `balance_transaction` was expanded. */
export function toCharge({
  balance_transaction: balance,
  payment_method_details: method,
}: Stripe.Charge): ProviderCharge {
  const { brand, last4 } = method?.card ?? {}
  return {
    fee:
      balance && typeof balance === 'object'
        ? { feeMinor: BigInt(balance.fee), currency: balance.currency.toUpperCase() }
        : null,
    card: brand && last4 ? { brand, last4 } : null,
  }
}
