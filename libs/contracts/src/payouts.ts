/** Payouts of a seller's balance to their bank account. Served by escrow-svc. */
import { PAYOUT_ACCOUNT_STATUSES, PAYOUT_BLOCKS, PAYOUT_STATUSES } from '@holdfast/kernel/payouts'
import { z } from 'zod'
import { Amount, CurrencyCode, IdempotencyKey, IntegerId, MailedToken, Timestamp, Uuid } from './fields.js'
import { route } from './route.js'
import { SettledChargeback } from './transactions.js'

export const Payout = z.object({
  id: Uuid,
  amount: Amount,
  currency: CurrencyCode,
  status: z.enum(PAYOUT_STATUSES),
  /** The bank account as the seller knows it, such as `Test Bank ending in 4242`. */
  bankLabel: z.string().nullable(),
  createdAt: Timestamp,
  /** When the bank had it. */
  arrivedAt: Timestamp.nullable(),
  /** Why it does not arrive, as the seller reads it. */
  failure: z.string().nullable(),
  /** The deals that it carries, the newest first. What a chargeback has taken, or may take, from one that was paid out before is negative. */
  deals: z.array(z.object({ transactionId: IntegerId, title: z.string(), amount: Amount })),
})
export type Payout = z.infer<typeof Payout>

/** A chargeback that has taken from the seller's balance, or may do so. */
export const SellerChargeback = SettledChargeback.pick({ since: true }).extend({
  /** One that is won takes nothing. */
  status: SettledChargeback.shape.status.exclude(['won']),
  transactionId: IntegerId,
  title: z.string(),
  /** What it took from the seller's balance, or takes if the bank decides for the buyer. */
  amount: Amount,
})
export type SellerChargeback = z.infer<typeof SellerChargeback>

export const PayoutsOverview = z.object({
  currency: CurrencyCode,
  /**
   * What can be paid out: the seller's balance less what waits for a bank's decision about a chargeback. It is below zero after a lost
   * chargeback that later sales repay.
   */
  available: Amount,
  /** Scheduled or on its way to the bank. */
  inTransit: Amount,
  /** What the bank has. */
  paid: Amount,
  /** When the next payout is made without asking; null while nothing is paid out. */
  nextPayoutAt: Timestamp.nullable(),
  /** The first of `blocks`; null when a payout can be made at once. */
  blockedBy: z.enum(PAYOUT_BLOCKS).nullable(),
  /** Until when payouts wait because the payout account was changed; null when they do not. */
  waitsUntil: Timestamp.nullable(),
  /** Every reason for which nothing can be paid out now. Missing in answers of the release before. */
  blocks: z.array(z.enum(PAYOUT_BLOCKS)).optional(),
  payouts: z.array(Payout),
  /** Why the balance fell or may fall, the latest first. */
  chargebacks: z.array(SellerChargeback),
})
export type PayoutsOverview = z.infer<typeof PayoutsOverview>

export const PayoutAccount = z.object({
  status: z.enum(PAYOUT_ACCOUNT_STATUSES),
  bankLabel: z.string().nullable(),
  /** What the provider needs from the seller or objects to, in words. */
  reason: z.string().nullable(),
})
export type PayoutAccount = z.infer<typeof PayoutAccount>

export const payoutRoutes = {
  getPayouts: route({
    method: 'GET',
    path: '/api/payouts',
    access: 'user',
    summary: 'The signed-in seller’s balance and newest payouts, each with the transactions that it carries',
    response: PayoutsOverview,
  }),
  createPayout: route({
    method: 'POST',
    path: '/api/payouts',
    access: 'user',
    summary: 'Pay out all that is available now; a repeated request with the same key gets the same payout',
    status: 201,
    headers: z.object({ 'idempotency-key': IdempotencyKey }),
    response: Payout,
    errors: ['PAYOUT_NOT_POSSIBLE', 'IDEMPOTENCY_KEY_REUSED'],
    repeatable: 'with-key',
  }),
  getPayoutAccount: route({
    method: 'GET',
    path: '/api/payout-account',
    access: 'user',
    summary: 'The bank account into which the signed-in seller is paid, as the payment provider knows it',
    response: PayoutAccount,
  }),
  putPayoutAccount: route({
    method: 'PUT',
    path: '/api/payout-account',
    access: 'user',
    summary: 'Add or change the payout account: the answer leads to the payment provider’s own form',
    response: z.object({
      status: z.enum(PAYOUT_ACCOUNT_STATUSES),
      /** The provider’s page. It works once, for a few minutes. */
      onboardingUrl: z.string(),
    }),
    needsProof: true,
    errors: ['PAYMENT_PROVIDER_UNAVAILABLE', 'PAYOUT_ACCOUNT_UNAVAILABLE', 'CONFLICT', 'RATE_LIMITED'],
  }),
} as const

/** Answered by identity-svc, which mails the link. */
export const payoutConfirmationRoutes = {
  confirmPayoutAccount: route({
    method: 'POST',
    path: '/api/payout-account/confirm',
    access: 'user',
    summary: 'Confirm with the mailed token that one has changed one’s payout account: payouts do not wait any more',
    status: 204,
    body: z.object({ token: MailedToken }),
    errors: ['GONE', 'SIGN_IN_TO_CONFIRM'],
  }),
} as const
