import type { Currency } from '@holdfast/kernel/money'
import { Injectable } from '@nestjs/common'
import Stripe from 'stripe'
import { PlatformAccount } from '../provider/platform-account.js'
import { AttemptFailed, callProvider, isStoredError, keyOf, rethrow } from '../provider/stripe-calls.js'
import {
  CLOSED_ACCOUNT,
  type ProviderAccount,
  type SentPayout,
  toProviderAccount,
  toSentPayout,
} from './connect-objects.js'

/** The most payouts of a seller's account that are searched for one of ours. */
const MAX_LISTED = 1_000
const PAGE = 100

/** The provider will not pay this payout: another attempt would be refused, too. The message is the provider's. */
export class PayoutRefused extends Error {
  override readonly name = 'PayoutRefused'
}

/** Whether the provider answers that we may not read an account any more (docs.stripe.com/error-codes). */
const isClosed = (error: unknown): error is Error =>
  error instanceof Stripe.errors.StripePermissionError && error.code === 'account_invalid'
/** Whether the provider answers that an account does not exist, or that we may not read it. */
const isGone = (error: unknown): error is Error =>
  isClosed(error) || (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')

/** The provider opens no account for this seller. The message is the provider's. */
export class AccountRefused extends Error {
  override readonly name = 'AccountRefused'
}

/** The provider has closed the account, or its owner has disconnected it from us. The message is the provider's. */
export class AccountGone extends Error {
  override readonly name = 'AccountGone'
}

/** A step of a payout to carry out at the provider. Each attempt of a step has an idempotency key of its own. */
interface PayoutStep {
  readonly id: string
  readonly accountId: string
  readonly amountMinor: bigint
  readonly currency: Currency
  /** Counts the idempotency keys of the step. */
  readonly attempt: number
  /** Whether the step was tried before. Then the provider is asked for its outcome before it is sent again. */
  readonly isRepeated: boolean
}

/**
 * Stripe Connect, with separate charges and transfers: a transfer moves money from our balance to the seller's account at Stripe,
 * and a payout of that account moves it to the seller's bank. Stripe drops an idempotency key after a day, so a step that was
 * tried before is looked for by our id and never sent blindly.
 */
@Injectable()
export class ConnectProvider {
  private readonly stripe: Stripe

  constructor(account: PlatformAccount) {
    this.stripe = account.client
  }

  /**
   * Opens a seller's account, or finds the one that the same attempt has opened. Payouts of it are made by us alone.
   *
   * @throws AttemptFailed when the provider has answered this attempt with an error of its own
   * @throws AccountRefused
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async openAccount(userId: string, attempt: number): Promise<string> {
    try {
      const { id } = await this.stripe.accounts.create(
        {
          type: 'express',
          capabilities: { transfers: { requested: true } },
          settings: { payouts: { schedule: { interval: 'manual' } } },
          metadata: { user_id: userId },
        },
        { idempotencyKey: keyOf(`${userId}:account`, attempt) },
      )
      return id
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new AccountRefused(error.message)
      if (isStoredError(error)) throw new AttemptFailed(error.message)
      rethrow(error)
    }
  }

  /**
   * The address of the provider's form for an account. It works once, for a few minutes.
   *
   * @throws AccountGone; DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async onboardingUrl(accountId: string, returnUrl: string): Promise<string> {
    const link = {
      account: accountId,
      type: 'account_onboarding',
      return_url: returnUrl,
      refresh_url: returnUrl,
    } as const
    try {
      return (await callProvider(() => this.stripe.accountLinks.create(link))).url
    } catch (error) {
      if (isGone(error)) throw new AccountGone(error.message)
      throw error
    }
  }

  /**
   * A seller's account as the provider has it now. One that the provider does not let us read any more was closed, or its owner has
   * disconnected it from us.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async getAccount(accountId: string): Promise<ProviderAccount> {
    try {
      return toProviderAccount(await callProvider(() => this.stripe.accounts.retrieve(accountId)))
    } catch (error) {
      if (isGone(error)) return CLOSED_ACCOUNT
      throw error
    }
  }

  /**
   * Moves the amount of a payout from our balance to the seller's account.
   *
   * @returns the provider's id of the transfer
   * @throws AttemptFailed when it can be tried again under another key, such as when our balance is too low
   * @throws PayoutRefused; DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async transfer(step: PayoutStep): Promise<string> {
    const { id, accountId, amountMinor, currency, attempt } = step
    const { id: transferId } = await this.once(
      step,
      () => this.findTransfer(id),
      () =>
        this.stripe.transfers.create(
          {
            amount: Number(amountMinor),
            currency: currency.toLowerCase(),
            destination: accountId,
            transfer_group: id,
            metadata: { payout_id: id },
          },
          { idempotencyKey: keyOf(`${id}:transfer`, attempt) },
        ),
    )
    return transferId
  }

  /** The provider's id of the transfer of a payout; null when none was made. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async transferOf(payoutId: string): Promise<string | null> {
    return (await callProvider(() => this.findTransfer(payoutId)))?.id ?? null
  }

  /**
   * Sends the amount of a payout from the seller's account to their bank. It throws as `transfer` does, and `PayoutRefused` for an
   * account that was closed or disconnected since the transfer, and for a bank that was replaced there.
   *
   * @param step `bankId` is the bank; null for a payout that was sent already
   */
  async payOut(step: PayoutStep & { readonly bankId: string | null }): Promise<SentPayout> {
    const { id, accountId: stripeAccount, amountMinor, currency, attempt, bankId } = step
    const find = () => this.findPayout(id, stripeAccount)
    const create = () =>
      this.stripe.payouts.create(
        {
          amount: Number(amountMinor),
          currency: currency.toLowerCase(),
          ...(bankId !== null && { destination: bankId }),
          metadata: { payout_id: id },
        },
        { stripeAccount, idempotencyKey: keyOf(`${id}:payout`, attempt) },
      )
    try {
      return toSentPayout(await this.once(step, find, create))
    } catch (error) {
      if (isGone(error)) throw new PayoutRefused(error.message)
      throw error
    }
  }

  /** Whether the provider has a payout of ours. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async hasPayout(payoutId: string, stripeAccount: string): Promise<boolean> {
    return (await callProvider(() => this.findPayout(payoutId, stripeAccount))) !== undefined
  }

  /** A payout as the provider has it now. @throws AccountGone; DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async getPayout(providerPayoutId: string, stripeAccount: string): Promise<SentPayout> {
    try {
      return toSentPayout(
        await callProvider(() => this.stripe.payouts.retrieve(providerPayoutId, undefined, { stripeAccount })),
      )
    } catch (error) {
      // That there is no such payout says nothing about the account.
      if (isClosed(error)) throw new AccountGone(error.message)
      throw error
    }
  }

  /**
   * Moves a transfer back to our balance. One that has been moved back already is left alone.
   *
   * @throws AttemptFailed when it can be tried again, such as while the account has not got the money back from the bank
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async reverse(transferId: string, { id, attempt }: { id: string; attempt: number }): Promise<void> {
    const { amount, amount_reversed: reversed } = await callProvider(() => this.stripe.transfers.retrieve(transferId))
    if (reversed >= amount) return
    try {
      await this.stripe.transfers.createReversal(
        transferId,
        { amount: amount - reversed, metadata: { payout_id: id } },
        { idempotencyKey: keyOf(`${id}:reversal`, attempt) },
      )
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError || isStoredError(error))
        throw new AttemptFailed(error.message)
      rethrow(error)
    }
  }

  /** Carries out a step that must happen once. Its outcome is looked for when it may have happened already. */
  private async once<T>(
    { isRepeated }: PayoutStep,
    find: () => Promise<T | undefined>,
    create: () => Promise<T>,
  ): Promise<T> {
    const before = isRepeated ? await callProvider(find) : undefined
    if (before) return before
    try {
      return await create()
    } catch (error) {
      const isRefusal = error instanceof Stripe.errors.StripeInvalidRequestError
      if (!isRefusal && !isStoredError(error)) rethrow(error)
      // The provider may have answered with an error after it had carried out the step.
      const made = await callProvider(find)
      if (made) return made
      if (!isRefusal || error.code === 'balance_insufficient') throw new AttemptFailed(error.message)
      throw new PayoutRefused(error.message)
    }
  }

  private async findTransfer(payoutId: string): Promise<Stripe.Transfer | undefined> {
    const { data } = await this.stripe.transfers.list({ transfer_group: payoutId, limit: 1 })
    return data[0]
  }

  private async findPayout(payoutId: string, stripeAccount: string): Promise<Stripe.Payout | undefined> {
    const found = await this.stripe.payouts
      .list({ limit: PAGE }, { stripeAccount })
      .autoPagingToArray({ limit: MAX_LISTED })
    return found.find(({ metadata }) => metadata?.payout_id === payoutId)
  }
}
