import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { ChargebackStatus } from '@holdfast/kernel/payments'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import type { DealWithChargeback } from '../deals/deal-by-payment.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import { DealsRepository, type Outcome } from '../deals/deals.repository.js'
import { bookChargeback, keepUnbooked } from '../deals/domain/chargebacks.js'
import { BY_PROVIDER, type Change, type ChargebackCommand, stateOf } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { isAllowed } from '../deals/domain/transitions.js'
import type { ChargebackEvent } from './provider-events.js'
import { RefundProgressService } from './refund-progress.service.js'

const recorded = counter('escrow_chargebacks_total', 'Steps of chargebacks that were recorded', ['status', 'held'])

/** The order of the statuses. Messages come in any order: one whose status is not later than the stored one changes nothing. */
const ORDER: Record<ChargebackStatus, number> = { inquiry: 0, open: 1, won: 2, lost: 2 }

const COMMANDS: Record<ChargebackStatus, ChargebackCommand['type']> = {
  inquiry: 'openChargeback',
  open: 'openChargeback',
  won: 'winChargeback',
  lost: 'loseChargeback',
}

/** Records chargebacks: stops the deal and books the money in one write. Each step has its effect once. */
@Injectable()
export class ChargebacksService {
  private readonly log = loggerOf('chargebacks')

  constructor(
    private readonly deals: DealsRepository,
    private readonly refunds: RefundProgressService,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /**
   * @returns false when the charge is not ours, or the event does not fit what is stored of the chargeback
   * @throws DomainError `UNAVAILABLE` while the payment is not booked yet: then the provider sends the event again
   */
  async record(event: ChargebackEvent): Promise<boolean> {
    const { id: chargebackId, intentId } = event
    if (intentId === null) return false
    const read = { intentId, chargebackId }
    const webhook = { id: event.eventId, kind: event.type, chargeId: null }
    let isFitting = true
    const { known, outcome } = await this.deals.changeByChargeback(read, webhook, BY_PROVIDER, (found, { now }) => {
      isFitting = fits(found, event)
      return isFitting ? this.decide(found, event, now) : null
    })
    if (outcome) this.notice(event, outcome)
    // The buyer has the money from the bank. A refund that is due does this once more before it is sent.
    if (outcome && event.status === 'lost') await this.refunds.deductFromUnpaid(outcome.deal.id)
    return known && isFitting
  }

  private notice({ id, status, currency }: ChargebackEvent, outcome: Outcome): void {
    this.deadlines.notice(outcome)
    const isHeld = outcome.deal.holdMinor > 0n
    recorded.inc({ status, held: String(isHeld) })
    this.log.error(
      {
        transactionId: outcome.deal.id,
        chargebackId: id,
        status,
        currency,
        wasHeld: isHeld,
        dealStatus: outcome.change.status,
      },
      'a chargeback was recorded: an operator must look at it',
    )
  }

  private decide({ deal, payment, before }: DealWithChargeback, event: ChargebackEvent, now: Date): Change | null {
    if (payment.status !== 'succeeded') throw new DomainError('UNAVAILABLE')
    if (before && ORDER[event.status] <= ORDER[before.status]) return null
    const { id, amountMinor, currency, status } = event
    // What the bank took in another currency cannot be booked. The deal is stopped all the same, because the money may be gone.
    const isBookable = currency === payment.currency
    const isLostUnbooked = status === 'lost' && !isBookable
    const withdrawn = event.withdrawn && isBookable
    const chargeback = { id, paymentId: payment.id, amountMinor, currency, status, withdrawn }
    const type = isLostUnbooked ? 'openChargeback' : COMMANDS[status]
    const command: ChargebackCommand = { type, chargeback, before }
    if (isLostUnbooked && before) return keepUnbooked(deal, command)
    const isHeld = payment.id === deal.settledPaymentId && isAllowed(command.type, 'provider', stateOf(deal))
    if (!isHeld) return bookChargeback(deal, command)
    const given = { role: 'provider' as const, now, daySeconds: this.config.DAY_SECONDS, refundId: newId() }
    return decide(deal, command, given)
  }
}

/**
 * Whether an event has the payment, the currency and the amount that are stored of its chargeback. The amount may change until it
 * is booked: an inquiry can become a chargeback of another amount. A bank may also decide a second time, and otherwise. That is not
 * booked by itself.
 */
const fits = ({ payment, before }: DealWithChargeback, { amountMinor, currency, status }: ChargebackEvent): boolean =>
  before === null ||
  (before.paymentId === payment.id &&
    (status === before.status || ORDER[status] !== ORDER[before.status]) &&
    before.currency === currency &&
    (before.amountMinor === amountMinor || !before.withdrawn))
