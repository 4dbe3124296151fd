import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { ChargebackStatus } from '@holdfast/kernel/payments'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import type { ChargebackBefore, DealWithChargeback } from '../deals/deal-by-payment.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import { DealsRepository, type Outcome } from '../deals/deals.repository.js'
import { bookChargeback, keepMessage } from '../deals/domain/chargebacks.js'
import { BY_PROVIDER, type Change, type ChargebackCommand, stateOf } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { isAllowed } from '../deals/domain/transitions.js'
import type { ChargebackEvent } from './provider-events.js'
import { RefundProgressService } from './refund-progress.service.js'

const recorded = counter('escrow_chargebacks_total', 'Steps of chargebacks that were recorded', ['status', 'held'])

/** The order of the statuses until a bank has decided. Messages come in any order: an earlier status changes nothing. */
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
    const { id: chargebackId, intentId, isPartlyBack } = event
    if (intentId === null || isPartlyBack) return false
    const read = { intentId, chargebackId }
    const webhook = { id: event.eventId, kind: event.type, chargeId: null }
    let isFitting = true
    let isNewStatus = true
    const { known, outcome } = await this.deals.changeByChargeback(read, webhook, BY_PROVIDER, (found, { now }) => {
      isFitting = fits(found, event)
      isNewStatus = found.before?.status !== event.status
      return isFitting ? this.decide(found, event, now) : null
    })
    if (outcome && isNewStatus) this.notice(event, outcome)
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

  private decide(found: DealWithChargeback, event: ChargebackEvent, now: Date): Change | null {
    const { deal, payment, before, losses } = found
    if (payment.status !== 'succeeded') throw new DomainError('UNAVAILABLE')
    const { id, amountMinor, currency, status, asOf } = event
    // What the bank took in another currency cannot be booked until the provider says what left our balance. The deal is stopped all the same,
    // because the money may be gone.
    const isBookable = currency === payment.currency
    const isNowBookable = isBookable && event.withdrawn && before !== null && isUnbooked(before, payment.currency)
    const isRepeated = !isNowBookable && before?.status === status && isLater(before, event)
    if (before && !isRepeated && !isNowBookable && !isNews(before, event)) return null
    const isLostUnbooked = status === 'lost' && !isBookable
    const withdrawn = event.withdrawn && isBookable
    const chargeback = { id, paymentId: payment.id, amountMinor, currency, status, withdrawn, asOf }
    const type = isLostUnbooked ? 'openChargeback' : COMMANDS[status]
    const command: ChargebackCommand = { type, chargeback, before, losses }
    // A repeated status moves no money. Its time is kept, so that a decision from before it changes nothing when it comes late.
    if (isRepeated || (isLostUnbooked && before && before.status !== 'won')) return keepMessage(deal, command)
    const isHeld = payment.id === deal.settledPaymentId && isAllowed(command.type, 'provider', stateOf(deal))
    if (!isHeld) return bookChargeback(deal, command)
    const given = { role: 'provider' as const, now, daySeconds: this.config.DAY_SECONDS, refundId: newId() }
    return decide(deal, command, given)
  }
}

/** Whether a bank has decided. */
const isDecided = (status: ChargebackStatus): boolean => status === 'won' || status === 'lost'

/** Whether an event is later than what is stored, by the provider's time. Of rows of an older release only our own time is known. */
const isLater = ({ asOf, updatedAt }: ChargebackBefore, event: ChargebackEvent): boolean =>
  event.asOf > (asOf ?? updatedAt)

/**
 * Whether an event says something new. Before the first decision the statuses have an order. Afterwards the provider's time orders the
 * events, because a bank may decide again: it takes the money once more, or it gives back what it took. An event that says that a
 * lost chargeback is examined again moves no money.
 */
function isNews(before: ChargebackBefore, event: ChargebackEvent): boolean {
  const { status } = event
  if (!isDecided(before.status))
    return ORDER[status] > ORDER[before.status] && (before.asOf === null || event.asOf >= before.asOf)
  const isOtherwise = before.status === 'won' ? status === 'lost' || status === 'open' : status === 'won'
  return isOtherwise && isLater(before, event)
}

/** Whether two opposite decisions have the same time, or the time of the stored one is not known: nobody can say which counts. */
const isAmbiguous = (before: ChargebackBefore, event: ChargebackEvent): boolean =>
  isDecided(before.status) &&
  isDecided(event.status) &&
  before.status !== event.status &&
  !isLater(before, event) &&
  (before.asOf === null || before.asOf.getTime() === event.asOf.getTime())

/** Whether a bank has taken money in another currency, so that nothing of it is booked. */
const isUnbooked = (before: ChargebackBefore, currency: string): boolean =>
  !before.withdrawn && before.currency !== currency && (before.status === 'open' || before.status === 'lost')

/** Whether an event is a late one, from before the provider converted what a bank takes in another currency. */
const isBeforeConversion = (before: ChargebackBefore, currency: string, event: ChargebackEvent): boolean =>
  before.withdrawn && event.currency !== currency && before.asOf !== null && event.asOf <= before.asOf

/**
 * Whether an event has the payment, the currency and the amount that are stored of its chargeback. Both may change until it is booked: an
 * inquiry can become a chargeback of another amount, and the provider converts what a bank takes in another currency.
 */
const fits = ({ payment, before }: DealWithChargeback, event: ChargebackEvent): boolean =>
  before === null ||
  (before.paymentId === payment.id &&
    (isBeforeConversion(before, payment.currency, event) ||
      ((before.currency === event.currency || (!before.withdrawn && event.currency === payment.currency)) &&
        (before.amountMinor === event.amountMinor || !before.withdrawn) &&
        !isAmbiguous(before, event))))
