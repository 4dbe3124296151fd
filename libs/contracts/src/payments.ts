/** Paying for a deal. The browser confirms at the provider; only the provider's signed event makes a deal paid. */
import { CRYPTO_ASSET_NAMES, CRYPTO_RETURN_CAUSES, CRYPTO_STAGES } from '@holdfast/kernel/crypto'
import { QUOTE_LINES } from '@holdfast/kernel/fees'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '@holdfast/kernel/payments'
import { MAX_WEBHOOK_BYTES } from '@holdfast/kernel/requests'
import { z } from 'zod'
import { Amount, CurrencyCode, Email, IdempotencyKey, IdParams, NOT_BLANK, Timestamp, Uuid } from './fields.js'
import { route } from './route.js'

export const Quote = z.object({
  currency: CurrencyCode,
  lines: z.array(
    z.object({
      code: z.enum(QUOTE_LINES),
      label: z.string(),
      amount: Amount,
    }),
  ),
  total: Amount,
  /** The ways to pay that are offered. */
  methods: z.array(z.enum(PAYMENT_METHODS)),
})

/** Where the buyer transfers the money, and what has arrived of it. The account is for this payment alone. */
export const BankTransfer = z.object({
  accountHolder: z.string(),
  bankName: z.string(),
  routingNumber: z.string(),
  accountNumber: z.string(),
  reference: z.string(),
  total: Amount,
  received: Amount,
  /** What is still to be transferred. */
  missing: Amount,
  currency: CurrencyCode,
})
export type BankTransfer = z.infer<typeof BankTransfer>

/** A payment in cryptocurrency: where the buyer sends which amount until when, and what has come. */
export const CryptoPayment = z.object({
  asset: z.enum(CRYPTO_ASSET_NAMES),
  /** The code of the asset, and the amount to send in it. */
  assetCurrency: CurrencyCode,
  assetAmount: Amount,
  depositAddress: z.string(),
  /** What a wallet reads from a QR code. */
  paymentUri: z.string(),
  /** The buyer's own address, to which money goes back. */
  walletAddress: z.string(),
  /** The amount holds until then. */
  expiresAt: Timestamp,
  stage: z.enum(CRYPTO_STAGES),
  /** What has come so far, in the asset. */
  received: Amount,
  total: Amount,
  currency: CurrencyCode,
})
export type CryptoPayment = z.infer<typeof CryptoPayment>

/** Money in cryptocurrency that goes back to the buyer's wallet, or has gone back. */
export const CryptoReturn = z.object({
  cause: z.enum(CRYPTO_RETURN_CAUSES),
  assetCurrency: CurrencyCode,
  /**
   * What was sent, or what of it was too much. The network's fee of the way back is taken from it. With the cause `closed` it is the
   * amount of the quote: the wallet gets what its price in dollars is worth on the day on which it is sent back.
   */
  assetAmount: Amount,
  walletAddress: z.string(),
  /** Whether it was sent back. */
  isSent: z.boolean(),
  at: Timestamp,
})
export type CryptoReturn = z.infer<typeof CryptoReturn>

export const Payment = z.object({
  paymentId: Uuid,
  provider: z.enum(['stripe', 'coinify']),
  /** The origin of the provider's API for the browser: the sandbox's when it is used. With `coinify` the browser calls nothing there. */
  providerUrl: z.string(),
  status: z.enum(PAYMENT_STATUSES).exclude(['creating']),
  clientSecret: z.string().optional(),
  publishableKey: z.string().optional(),
  redirectUrl: z.string().optional(),
  depositAddress: z.string().optional(),
  /** Set for a payment by bank. */
  bankTransfer: BankTransfer.optional(),
  /** Set for a payment in cryptocurrency. */
  cryptoPayment: CryptoPayment.optional(),
  total: Amount,
  currency: CurrencyCode,
})

/** What the buyer chooses to pay with. */
const PaymentInput = z.object({
  method: z.enum(PAYMENT_METHODS, { error: 'Choose card, bank or crypto' }),
  /** Needed for a payment in cryptocurrency, like `walletAddress`. */
  cryptoAsset: z.enum(CRYPTO_ASSET_NAMES, { error: 'Choose a cryptocurrency' }).optional(),
  /** The buyer's address in the asset's network, to which money is returned. */
  walletAddress: z.string().trim().min(1).max(120).meta(NOT_BLANK).optional(),
})
const onPaying = [
  'TRANSACTION_NOT_FOUND',
  'FORBIDDEN',
  'ESCROW_WRONG_STATE',
  'CONFLICT',
  'PAYMENT_IN_PROGRESS',
  'PAYMENT_METHOD_UNAVAILABLE',
  'PAYMENT_PROVIDER_UNAVAILABLE',
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
] as const

export const paymentRoutes = {
  getQuote: route({
    method: 'GET',
    path: '/api/transactions/{id}/quote',
    access: 'user',
    record: { kind: 'deal', for: ['buyer'] },
    summary: 'What the buyer will be charged, to the cent',
    params: IdParams,
    query: z.object({ method: z.enum(PAYMENT_METHODS).default('card') }),
    response: Quote,
    errors: ['TRANSACTION_NOT_FOUND', 'FORBIDDEN'],
  }),
  createPayment: route({
    method: 'POST',
    path: '/api/transactions/{id}/payments',
    access: 'user',
    record: { kind: 'deal', for: ['buyer'] },
    handling: 'joined',
    summary: 'Begin a payment; a repeated request with the same key gets the same payment',
    status: 201,
    params: IdParams,
    headers: z.object({ 'idempotency-key': IdempotencyKey }),
    body: PaymentInput,
    response: Payment,
    errors: [...onPaying, 'EMAIL_NOT_CONFIRMED'],
  }),
  getPayment: route({
    method: 'GET',
    path: '/api/transactions/{id}/payment',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'The status of the latest payment; the provider is asked when no event came for some seconds',
    params: IdParams,
    response: z.object({
      status: z.enum(PAYMENT_STATUSES).exclude(['creating']).nullable(),
      method: z.enum(PAYMENT_METHODS).nullable().default(null),
      /** The bank details of a payment by bank. Only the buyer gets them. */
      bankTransfer: BankTransfer.nullable().default(null),
      /** A payment in cryptocurrency. Only the buyer gets it. */
      cryptoPayment: CryptoPayment.nullable().default(null),
      /** What goes back to the buyer's wallet of every payment in cryptocurrency for this transaction, the latest first. Only the buyer gets it. */
      cryptoReturns: z.array(CryptoReturn).default([]),
    }),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  listUnhandledEvents: route({
    method: 'GET',
    path: '/api/admin/provider-events',
    access: 'admin',
    summary:
      'The provider’s events that no code handles or that do not fit what is stored, by type: an operator must look at each, because it may be about money. The runbook on provider events says what to do',
    response: z.array(
      z.object({
        type: z.string(),
        count: z.number().int(),
        firstAt: Timestamp,
        lastAt: Timestamp,
        /** The provider's id of the latest one. It can be looked up in the provider's dashboard. */
        lastId: z.string(),
      }),
    ),
  }),
  stripeWebhook: route({
    method: 'POST',
    path: '/api/webhooks/stripe',
    access: 'public',
    handling: 'raw',
    batched: true,
    summary: 'Stripe’s signed events',
    response: z.object({ received: z.literal(true) }),
    errors: ['WEBHOOK_SIGNATURE_INVALID', 'MALFORMED_REQUEST', 'RATE_LIMITED'],
    bodyLimit: MAX_WEBHOOK_BYTES,
    repeatable: 'always',
  }),
  coinifyWebhook: route({
    method: 'POST',
    path: '/api/webhooks/coinify',
    access: 'public',
    handling: 'raw',
    summary: 'The crypto processor’s signed events',
    response: z.object({ received: z.literal(true) }),
    errors: ['WEBHOOK_SIGNATURE_INVALID', 'MALFORMED_REQUEST', 'RATE_LIMITED'],
    bodyLimit: MAX_WEBHOOK_BYTES,
    repeatable: 'always',
  }),
  carrierWebhook: route({
    method: 'POST',
    path: '/api/webhooks/carrier',
    access: 'public',
    handling: 'raw',
    summary: 'The carrier aggregator’s signed tracking updates',
    response: z.object({ received: z.literal(true) }),
    errors: ['WEBHOOK_SIGNATURE_INVALID', 'MALFORMED_REQUEST', 'RATE_LIMITED'],
    bodyLimit: MAX_WEBHOOK_BYTES,
    repeatable: 'always',
  }),
} as const

export const paymentInternalRoutes = {
  beginPayment: route({
    method: 'POST',
    path: '/internal/transactions/{id}/payments',
    access: { internal: ['gateway'] },
    summary: 'Begin a payment of the buyer who asks',
    status: 201,
    params: IdParams,
    headers: z.object({ 'idempotency-key': IdempotencyKey }),
    /** `payerEmail` is the buyer's confirmed address. Only a payment by bank needs it. */
    body: PaymentInput.extend({ payerEmail: Email.nullable().default(null) }).refine(
      ({ method, payerEmail }) => method !== 'bank' || payerEmail !== null,
      { error: 'Required', path: ['payerEmail'] },
    ),
    response: Payment,
    errors: onPaying,
  }),
}
