import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { ChargebackStatus } from '@holdfast/kernel/payments'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import { DealsRepository, type DealWithChargeback } from '../deals/deals.repository.js'
import { bookChargeback } from '../deals/domain/chargebacks.js'
import { BY_PROVIDER, type Change, type ChargebackCommand, stateOf } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { isAllowed } from '../deals/domain/transitions.js'
import type { ChargebackEvent } from './provider-events.js'
import { RefundsService } from './refunds.service.js'

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
    private readonly refunds: RefundsService,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /** @throws DomainError `UNAVAILABLE` while the payment is not booked yet: then the provider sends the event again */
  async record(event: ChargebackEvent): Promise<void> {
    const { id, intentId, status } = event
    const webhook = { id: event.eventId, kind: event.type, chargeId: null }
    const { known, outcome } = intentId
      ? await this.deals.changeByChargeback({ intentId, chargebackId: id }, webhook, BY_PROVIDER, (found, { now }) =>
          this.decide(found, event, now),
        )
      : { known: false, outcome: null }
    if (!known)
      this.log.error({ eventId: event.eventId, chargebackId: id }, 'a charge that is not ours is charged back')
    if (!outcome) return
    // The buyer has the money from the bank. A refund that is due does this once more before it is sent.
    if (status === 'lost') await this.refunds.deductFromUnpaid(outcome.deal.id)
    this.deadlines.notice(outcome)
    const isHeld = outcome.deal.holdMinor > 0n
    recorded.inc({ status, held: String(isHeld) })
    this.log.error(
      { transactionId: outcome.deal.id, chargebackId: id, status, wasHeld: isHeld, dealStatus: outcome.change.status },
      'a chargeback was recorded: an operator must look at it',
    )
  }

  private decide({ deal, payment, before }: DealWithChargeback, event: ChargebackEvent, now: Date): Change | null {
    if (payment.status !== 'succeeded') throw new DomainError('UNAVAILABLE')
    if (before && ORDER[event.status] <= ORDER[before.status]) return null
    if (event.currency !== payment.currency)
      throw new Error(`chargeback ${event.id} is in ${event.currency}, its payment in ${payment.currency}`)
    const { id, amountMinor, status, withdrawn } = event
    const chargeback = { id, paymentId: payment.id, amountMinor, status, withdrawn }
    const command: ChargebackCommand = { type: COMMANDS[status], chargeback, before }
    const isHeld = payment.id === deal.settledPaymentId && isAllowed(command.type, 'provider', stateOf(deal))
    if (!isHeld) return bookChargeback(deal, command)
    const given = { role: 'provider' as const, now, daySeconds: this.config.DAY_SECONDS, refundId: newId() }
    return decide(deal, command, given)
  }
}
