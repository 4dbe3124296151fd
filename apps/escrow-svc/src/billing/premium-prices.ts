import type { Currency } from '@holdfast/kernel/money'
import type { SubscriptionInterval } from '@holdfast/kernel/subscriptions'
import { Injectable } from '@nestjs/common'
import type Stripe from 'stripe'
import { PlatformAccount } from '../provider/platform-account.js'
import { callProvider, isRefusal } from '../provider/stripe-calls.js'
import { attempted } from './provider-calls.js'

/** What is sold, under an id of our own. */
export const PREMIUM = { id: 'holdfast_premium', name: 'Holdfast Premium' } as const

/** What a period costs. */
export interface PriceWanted {
  readonly interval: SubscriptionInterval
  readonly amountMinor: bigint
  readonly currency: Currency
}

/** The prices of Premium at the provider. A price never changes there, so its name says the amount. */
@Injectable()
export class PremiumPrices {
  private readonly stripe: Stripe
  /** The provider's ids of the prices that this process has looked up, by their names. */
  private readonly known = new Map<string, string>()

  constructor(account: PlatformAccount) {
    this.stripe = account.client
  }

  /**
   * The provider's id of a price, which is created when there is none.
   *
   * @param key the attempt's idempotency key. Under a used key the provider repeats its first answer, even an error
   * @throws AttemptFailed; DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async idOf(wanted: PriceWanted, key: string): Promise<string> {
    const name = nameOf(wanted)
    const id = this.known.get(name) ?? (await this.find(wanted)) ?? (await this.create(wanted, key))
    this.known.set(name, id)
    return id
  }

  /** Has a price looked up again before its next use: an operator may have archived it in the provider's dashboard. */
  forget(wanted: PriceWanted): void {
    this.known.delete(nameOf(wanted))
  }

  /** Finds the price by its name, and checks what it costs: in the provider's dashboard another price can be given the same name. */
  private async find(wanted: PriceWanted): Promise<string | null> {
    const { data } = await callProvider(() =>
      this.stripe.prices.list({ lookup_keys: [nameOf(wanted)], active: true, limit: 1 }),
    )
    const price = data.find(
      ({ product, unit_amount: amount, currency, recurring }) =>
        product === PREMIUM.id &&
        amount === Number(wanted.amountMinor) &&
        currency === wanted.currency.toLowerCase() &&
        recurring?.interval === wanted.interval &&
        recurring.interval_count === 1,
    )
    return price?.id ?? null
  }

  private async create(wanted: PriceWanted, key: string): Promise<string> {
    try {
      await callProvider(() => this.stripe.products.create(PREMIUM))
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'resource_already_exists') throw error
    }
    const made = await attempted(() =>
      this.stripe.prices.create(
        {
          product: PREMIUM.id,
          unit_amount: Number(wanted.amountMinor),
          currency: wanted.currency.toLowerCase(),
          recurring: { interval: wanted.interval },
          lookup_key: nameOf(wanted),
          // Two requests at the same time create two equal prices. The name then belongs to the later one.
          transfer_lookup_key: true,
        },
        { idempotencyKey: `${key}:price` },
      ),
    )
    return made.id
  }
}

const nameOf = ({ interval, amountMinor, currency }: PriceWanted) =>
  `${PREMIUM.id}_${interval}_${amountMinor}_${currency.toLowerCase()}`
