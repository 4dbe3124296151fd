import { createHmac } from 'node:crypto'
import type { CryptoAsset } from '@holdfast/kernel/crypto'
import { CRYPTO_ASSETS } from '@holdfast/kernel/crypto'
import { DomainError } from '@holdfast/kernel/errors'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import { findUnstorable } from '@holdfast/service-kit/http/storable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { Pool } from 'undici'
import { z } from 'zod'
import type { EscrowConfig } from '../../config.js'
import { measured } from '../../provider/request-metrics.js'
import { assertSameSignature, readSigned } from '../../webhook-secrets.js'
import {
  type CryptoIntent,
  type CryptoQuote,
  EventBody,
  type ListedIntent,
  PaymentIntentAnswer,
  PaymentIntentsAnswer,
  toIntent,
  toQuote,
  toWithdrawal,
  type Withdrawal,
  WithdrawalAnswer,
} from './coinify-objects.js'

const CONNECTIONS = 4
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 512 * 1024
const PAGE = 100
const CreatedIntent = z.looseObject({ id: z.string().min(1).max(255) })

/** A payment for which the processor is to name an amount and an address. */
export interface QuoteRequest {
  readonly paymentId: string
  readonly userId: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly asset: CryptoAsset
  readonly walletAddress: string
}

/** Money that is to be sent to a wallet. `orderId` names it on both sides. */
export interface WithdrawalRequest {
  readonly orderId: string
  readonly paymentId: string
  readonly userId: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly asset: CryptoAsset
  readonly walletAddress: string
}

type CoinifyConfig = Pick<EscrowConfig, 'COINIFY_API_URL' | 'COINIFY_API_KEY' | 'COINIFY_WEBHOOK_SECRET'>

/** The processor has refused a request, and has done nothing. The message is its own. */
export class CryptoRefusal extends Error {
  override readonly name = 'CryptoRefusal'

  /** @param isForNow whether the reason is our key or our rate of requests, and not the request itself */
  constructor(
    message: string,
    readonly isForNow: boolean,
  ) {
    super(message)
  }
}

/**
 * The crypto processor, through Coinify's Payment API (coinify.readme.io). In development it is the sandbox: only the host differs.
 * The processor takes the asset, guarantees its price for a quarter of an hour, and credits us in US dollars. It has no idempotency keys:
 * an intent that is created twice does no harm, because only the address of the recorded one is shown. For withdrawals, see
 * `CryptoRefundsService`.
 */
@Injectable()
export class CryptoProcessor implements OnApplicationShutdown {
  private readonly log = loggerOf('crypto-processor')
  private readonly pool: Pool

  constructor(@Inject(CONFIG) private readonly config: CoinifyConfig) {
    this.pool = new Pool(config.COINIFY_API_URL, {
      connections: CONNECTIONS,
      connect: { timeout: TIMEOUT_MS },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close()
  }

  /**
   * Has the processor name an amount and an address for a payment.
   *
   * @returns the id of the intent, and its quote
   * @throws CryptoRefusal when the processor never accepts such a payment
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async quote(request: QuoteRequest): Promise<{ readonly intentId: string; readonly quote: CryptoQuote }> {
    const { id } = await this.ask(CreatedIntent, 'POST', '/v1/payment-intents', {
      amount: Number(formatAmount(request.amountMinor, request.currency)),
      currency: request.currency,
      orderId: request.paymentId,
      customerId: request.userId,
    })
    const answer = await this.ask(PaymentIntentAnswer, 'POST', `${pathOf(id)}/quotes`, {
      currency: CRYPTO_ASSETS[request.asset].currency,
      refundAddress: request.walletAddress,
    })
    return { intentId: id, quote: this.read(() => toQuote(answer, request.asset)) }
  }

  /** Where a payment is now. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async getIntent(intentId: string, asset: CryptoAsset): Promise<CryptoIntent> {
    const answer = await this.ask(PaymentIntentAnswer, 'GET', pathOf(intentId))
    return this.read(() => toIntent(answer, asset))
  }

  /**
   * The payment intents that were created since a time. Coinify's public pages say that its list can be selected by a period and has pages, and not
   * how the parameters are called (ADR 95): these names are those of its list of settlements.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async *intentsSince(since: Date): AsyncGenerator<ListedIntent> {
    for (let offset = 0; ; offset += PAGE) {
      const query = new URLSearchParams({ since: since.toISOString(), limit: String(PAGE), offset: String(offset) })
      const { paymentIntents } = await this.ask(PaymentIntentsAnswer, 'GET', `/v1/payment-intents?${query}`)
      yield* paymentIntents
      if (paymentIntents.length < PAGE) return
    }
  }

  /**
   * Sends what an amount is worth to a wallet. A repeated call would send it twice.
   *
   * @throws CryptoRefusal when the processor has refused it, so that nothing is sent
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` when it is not known whether it is sent
   */
  async withdraw(request: WithdrawalRequest): Promise<Withdrawal> {
    const answer = await this.call(WithdrawalAnswer, 'POST', '/v1/withdrawals', {
      orderId: request.orderId,
      baseAmount: formatAmount(request.amountMinor, request.currency),
      baseCurrency: request.currency,
      finalCurrency: CRYPTO_ASSETS[request.asset].currency,
      address: request.walletAddress,
      customerId: request.userId,
      // After a restore of the database the refund may be lost. Its payment is older.
      context: { paymentId: request.paymentId },
    })
    return this.read(() => toWithdrawal(answer))
  }

  /** A withdrawal as the processor has it now. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async getWithdrawal(id: string): Promise<Withdrawal> {
    const answer = await this.ask(WithdrawalAnswer, 'GET', `/v1/withdrawals/${encodeURIComponent(id)}`)
    return this.read(() => toWithdrawal(answer))
  }

  /**
   * Reads a webhook event, which the processor must have signed with our shared secret.
   *
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`; `MALFORMED_REQUEST` for a signed event that cannot be read. The processor sends
   * both again
   */
  readEvent(raw: Buffer, signature: string | undefined): z.output<typeof EventBody> {
    const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature ?? '') ? (signature ?? '') : '', 'hex')
    const { COINIFY_WEBHOOK_SECRET } = this.config
    readSigned({ COINIFY_WEBHOOK_SECRET }, secret =>
      assertSameSignature(given, createHmac('sha256', secret).update(raw).digest()),
    )
    const parsed = EventBody.safeParse(parseJson(raw))
    if (parsed.success && !findUnstorable(parsed.data)) return parsed.data
    this.log.error({ err: parsed.error }, 'a signed event of the crypto processor cannot be read')
    throw new DomainError('MALFORMED_REQUEST')
  }

  /**
   * A call whose temporary refusals count as a processor that cannot be reached. So does every refusal of a read: the fault is then ours,
   * and the caller cannot correct it.
   */
  private async ask<S extends z.ZodType>(
    schema: S,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<z.output<S>> {
    try {
      return await this.call(schema, method, path, body)
    } catch (error) {
      if (!(error instanceof CryptoRefusal) || (method === 'POST' && !error.isForNow)) throw error
      throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
    }
  }

  private async call<S extends z.ZodType>(
    schema: S,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<z.output<S>> {
    const { COINIFY_API_KEY: apiKey } = this.config
    if (!apiKey) {
      this.log.error({ method, path }, 'the crypto processor is needed, and its key is not configured')
      throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
    }
    let statusCode: number
    let text: string
    try {
      const send = async () => {
        const response = await this.pool.request({
          method,
          path,
          headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
          body: body ? JSON.stringify(body) : null,
        })
        return { statusCode: response.statusCode, text: await response.body.text() }
      }
      ;({ statusCode, text } = await measured({ provider: 'coinify', method, path }, send, answer => answer.statusCode))
    } catch (error) {
      this.log.warn({ err: error, method, path }, 'the crypto processor could not be reached')
      throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
    }
    if (statusCode >= 200 && statusCode < 300 && text.length <= MAX_ANSWER_BYTES)
      return this.read(() => schema.parse(JSON.parse(text)))
    this.log.warn({ method, path, statusCode }, 'the crypto processor refused a request')
    const isForNow = REFUSALS_FOR_NOW.has(statusCode)
    if (isForNow || REFUSALS.has(statusCode))
      throw new CryptoRefusal(`${statusCode}: ${text.slice(0, MAX_REASON_LENGTH)}`, isForNow)
    throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
  }

  /** Reads an answer. One that cannot be read says nothing about what the processor has done. */
  private read<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      this.log.error({ err: error }, 'an answer of the crypto processor cannot be read')
      throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
    }
  }
}

/** The answers that say that nothing was done: because of the request itself, or of our key or pace. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409, 422])
const REFUSALS_FOR_NOW: ReadonlySet<number> = new Set([401, 429])
const MAX_REASON_LENGTH = 300

const pathOf = (intentId: string) => `/v1/payment-intents/${encodeURIComponent(intentId)}`

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new DomainError('MALFORMED_REQUEST')
    throw error
  }
}
