import type { CryptoReturn } from '@holdfast/contracts/payments'
import { CRYPTO_ASSETS, type CryptoAsset } from '@holdfast/kernel/crypto'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../../config.js'
import type { PaymentEntity } from '../payment.entity.js'
import { isOpenPayment, PaymentsRepository } from '../payments.repository.js'
import { UnhandledEvents } from '../unhandled-events.js'
import { CryptoFundsService } from './crypto-funds.service.js'
import { CryptoPaymentsRepository, type PaymentInCrypto } from './crypto-payments.repository.js'
import { CryptoProcessor, CryptoRefusal, type QuoteRequest } from './crypto-processor.js'
import { returnsOf } from './crypto-view.js'
import { isSameWallet, walletProblem } from './wallet-address.js'

/** The processor is asked this often about a payment that can still be paid, or whose money is on its way back. */
const ASK_EVERY_MS = 60_000
/** A busy network may take longer. After this time the processor is asked less often. */
const ASK_OFTEN_FOR_DAYS = 1
const ASK_RARELY_EVERY_DAYS = 1 / 24
/** Networks drop a transfer that is not confirmed within about two weeks. */
const ASK_AWAITED_FOR_DAYS = 30
/** Money may come late. A payment that has ended is asked about for some days. */
const ASK_ENDED_FOR_DAYS = 2

/** The buyer sees this when the processor never accepts a payment, such as one below its smallest amount. */
const REFUSED = 'The crypto processor does not accept this payment.'

/** What the buyer chose: the asset, and the wallet to which money goes back. */
export interface CryptoChoice {
  readonly asset: CryptoAsset
  readonly walletAddress: string
}

/** Opens, closes and follows payments in cryptocurrency. */
@Injectable()
export class CryptoPaymentsService {
  private readonly log = loggerOf('crypto-payments')
  private readonly dayMs: number

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly rows: CryptoPaymentsRepository,
    private readonly funds: CryptoFundsService,
    private readonly processor: CryptoProcessor,
    private readonly unhandled: UnhandledEvents,
    @Inject(CONFIG) config: EscrowConfig,
    private readonly clock: Clock,
  ) {
    this.dayMs = config.DAY_SECONDS * 1000
  }

  /**
   * What the buyer chose, checked.
   *
   * @throws DomainError `VALIDATION_FAILED` naming `cryptoAsset` or `walletAddress`
   */
  choiceOf(input: { cryptoAsset?: CryptoAsset | undefined; walletAddress?: string | undefined }): CryptoChoice {
    const { cryptoAsset: asset, walletAddress } = input
    const missing = {
      ...(!asset && { cryptoAsset: 'Choose a cryptocurrency' }),
      ...(!walletAddress && { walletAddress: 'Enter the address of your wallet' }),
    }
    if (!asset || !walletAddress) throw invalidFields(missing)
    const problem = walletProblem(asset, walletAddress)
    if (problem) throw invalidFields({ walletAddress: problem })
    return { asset, walletAddress }
  }

  /**
   * Closes the deal's open payment in cryptocurrency before a new quote, unless its quote still holds and it is for the same choice.
   *
   * @throws DomainError `PAYMENT_IN_PROGRESS` when its money was seen
   */
  async closeOtherQuote(dealId: number, choice: CryptoChoice): Promise<void> {
    const open = await this.payments.findOpen(dealId)
    if (open?.method !== 'crypto') return
    const before = await this.rows.find(open.id)
    const isSame = before && isChosen(before, choice)
    // Without an address yet, the payment takes this choice.
    if (!before || (isSame && before.crypto.expiresAt > before.readAt)) return
    if ((await this.close(open)) !== 'closed') throw new DomainError('PAYMENT_IN_PROGRESS')
  }

  /**
   * Gets an amount and an address for a payment that has none.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`; `PAYMENT_METHOD_UNAVAILABLE` when the processor refuses the payment; `CONFLICT`
   * when it was closed, or addressed for another choice, in the meantime
   */
  async address(payment: PaymentEntity, choice: CryptoChoice): Promise<PaymentInCrypto> {
    if (payment.status === 'creating') await this.getQuote(payment, choice)
    const found = await this.rows.find(payment.id)
    // Another request may have got an address for another choice at the same moment.
    if (!found || !isChosen(found, choice)) throw new DomainError('CONFLICT')
    return found
  }

  private async getQuote({ id: paymentId, userId, amountMinor, currency }: PaymentEntity, choice: CryptoChoice) {
    const request: QuoteRequest = { paymentId, userId, amountMinor, currency, ...choice }
    try {
      const { intentId, quote } = await this.processor.quote(request)
      await this.rows.recordQuote(request, intentId, quote, ASK_EVERY_MS)
    } catch (error) {
      if (!(error instanceof CryptoRefusal)) throw error
      await this.payments.markRefused(paymentId, error.message, this.clock.now())
      const { label } = CRYPTO_ASSETS[choice.asset]
      const message = `${REFUSED} Try another way than ${label}.`
      throw new DomainError('PAYMENT_METHOD_UNAVAILABLE', { fields: { method: message } }, message)
    }
  }

  /**
   * Closes an open payment. The processor cannot cancel it: money that still comes while its quote holds is returned as a stray
   * payment, and the processor itself returns what comes later.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async close(open: PaymentEntity): Promise<'closed' | 'succeeded' | 'processing'> {
    await this.refresh(open.id)
    // Money may be seen at the same moment, by the timer or another replica. Then the payment is not closed.
    await this.payments.markCancelledUnpaid(open.id, this.clock.now())
    const { status } = await this.payments.get(open.id)
    return status === 'processing' || status === 'succeeded' ? status : 'closed'
  }

  /** Asks the processor about a payment and records the answer. @throws DomainError as `CryptoFundsService.ask` */
  async refresh(paymentId: string): Promise<void> {
    const found = await this.rows.find(paymentId)
    if (found) await this.funds.ask(found)
  }

  due(aheadMs: number, limit: number) {
    return this.rows.due(aheadMs, limit)
  }

  /**
   * Asks about a payment whose time has come. The next time is set first, so that a crash loses none. When the processor has not ended the
   * payment after many days, or its answers cannot be read, an operator must look at it, and it is asked no more by itself.
   */
  async askDue(paymentId: string): Promise<void> {
    await this.rows.askAgain(paymentId, ASK_EVERY_MS)
    await this.look(paymentId)
    const found = await this.rows.find(paymentId)
    if (!found) return
    const after = this.askAfter(found)
    if (after === null && isAwaited(found))
      await this.unhandled.keepUnfitting(`coinify_endless_${found.payment.intentId}`, 'coinify.endless-payment')
    await this.rows.askAgain(paymentId, after)
  }

  /** When the processor is asked next, in milliseconds; null when it is asked no more. */
  private askAfter(found: PaymentInCrypto): number | null {
    const age = (found.readAt.getTime() - found.crypto.createdAt.getTime()) / this.dayMs
    if (isAwaited(found) && age < ASK_OFTEN_FOR_DAYS) return ASK_EVERY_MS
    return age < (isAwaited(found) ? ASK_AWAITED_FOR_DAYS : ASK_ENDED_FOR_DAYS)
      ? ASK_RARELY_EVERY_DAYS * this.dayMs
      : null
  }

  /** Asks about a payment whose buyer looks at it. A failure is logged: what is stored is shown. */
  async look(paymentId: string): Promise<void> {
    try {
      await this.refresh(paymentId)
    } catch (error) {
      this.log.warn({ err: error, paymentId }, 'the crypto processor could not be asked about a payment')
    }
  }

  /** What goes back to the buyer's wallet of all payments of a deal, the latest first. */
  async returnsOfDeal(dealId: number): Promise<CryptoReturn[]> {
    const all = await this.rows.ofDeal(dealId)
    return all.flatMap(({ payment, crypto, isRefunded }) => returnsOf(payment, crypto, { isConfirmed: isRefunded }))
  }

  /** The processor's fee of a payment: the part that it did not credit. Null until its event has said how much it credits. */
  async feeOf({ id, amountMinor, currency }: PaymentEntity) {
    const creditedMinor = (await this.rows.find(id))?.crypto.creditedMinor ?? null
    return creditedMinor === null || creditedMinor > amountMinor
      ? null
      : { feeMinor: amountMinor - creditedMinor, currency }
  }

  /** Stops waiting for the event that says how much the processor credits. If it still comes, the fee is posted. */
  async giveUpFee({ id, intentId }: PaymentEntity): Promise<void> {
    await this.unhandled.keepUnfitting(`coinify_no_credit_${intentId}`, 'coinify.no-credit')
    await this.payments.stopReadingFee(id)
  }

  find(paymentId: string): Promise<PaymentInCrypto | null> {
    return this.rows.find(paymentId)
  }
}

const isChosen = ({ crypto }: PaymentInCrypto, { asset, walletAddress }: CryptoChoice) =>
  crypto.asset === asset && isSameWallet(asset, crypto.walletAddress, walletAddress)

/** Whether something must still happen to a payment: it can be paid, a transfer is not confirmed, or money goes back. */
const isAwaited = ({ payment, crypto }: PaymentInCrypto) =>
  isOpenPayment(payment.status) ||
  crypto.transfers.some(({ isConfirmed, goesBack }) => !isConfirmed || goesBack?.isSent === false)
