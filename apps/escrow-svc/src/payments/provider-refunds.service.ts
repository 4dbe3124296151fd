import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { RefundOrigin } from '@holdfast/kernel/payments'
import { dueWithin } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import { DealsRepository, type DealWithRefund } from '../deals/deals.repository.js'
import { BY_PROVIDER, type Change, type RefundCommand, stateOf } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { bookProviderRefund } from '../deals/domain/provider-refunds.js'
import { isAllowed } from '../deals/domain/transitions.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'
import type { RefundEvent } from './provider-events.js'
import { isLater, RefundsService } from './refunds.service.js'
import { StripeProvider } from './stripe.provider.js'

const recorded = counter(
  'escrow_foreign_refunds_total',
  'Steps of refunds that were made at the provider, not by us, and were recorded',
  ['status'],
)

const MADE_BY_HAND = { status: 'sent', origin: In<RefundOrigin>(['provider', 'provider_late']) } as const

/**
 * Records refunds that an operator made at the provider by hand. The money that has left is booked, and a deal that held it is
 * stopped or ends, in the same write. Each step has its effect once.
 */
@Injectable()
export class ProviderRefundsService {
  private readonly log = loggerOf('refunds')

  constructor(
    private readonly deals: DealsRepository,
    private readonly refunds: RefundsService,
    private readonly provider: StripeProvider,
    private readonly deadlines: DealDeadlines,
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /** The refunds made by hand about which the provider is to be asked within a time from now, the earliest first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.rows.find({
      where: { dueAt: dueWithin(aheadMs), ...MADE_BY_HAND },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /** Asks the provider about a refund made by hand that is not final, because no event may come. */
  async ask(id: string): Promise<void> {
    const refund = await this.rows.findOneBy({ id, dueAt: dueWithin(0), ...MADE_BY_HAND })
    if (!refund?.providerRefundId) return
    const { providerRefundId, paymentId, amountMinor, currency } = refund
    await this.refunds.askAgainLater(id)
    const { status } = await this.provider.getRefund(providerRefundId)
    const { intentId } = await this.dataSource.getRepository(PaymentEntity).findOneByOrFail({ id: paymentId })
    await this.record({
      ...{ kind: 'refund', type: 'refund.asked', id: `asked_${providerRefundId}_${status}` },
      ...{ providerRefundId, refundId: null, intentId, status, amountMinor, currency },
    })
  }

  /** @throws DomainError `UNAVAILABLE` while the payment is not booked yet: then the provider sends the event again */
  async record(event: RefundEvent): Promise<void> {
    const { intentId, providerRefundId, status } = event
    const facts = { eventId: event.id, providerRefundId, status }
    const webhook = { id: event.id, kind: event.type, chargeId: null }
    let ours: string | null = null
    const { known, outcome } = intentId
      ? await this.deals.changeByRefund({ intentId, providerRefundId }, webhook, BY_PROVIDER, (found, { now }) => {
          ours = ownOf(found, event)
          return ours ? null : this.decide(found, event, now)
        })
      : { known: false, outcome: null }
    if (ours) return this.refunds.adopt(ours, providerRefundId, status)
    if (!known) this.log.warn(facts, 'a payment that is not ours was refunded at the provider')
    if (!outcome) return
    this.deadlines.notice(outcome)
    recorded.inc({ status })
    this.log.error(
      { ...facts, transactionId: outcome.deal.id, dealStatus: outcome.change.status },
      'a refund was made at the provider and not by us: an operator must look at its deal',
    )
  }

  private decide({ deal, payment, before }: DealWithRefund, event: RefundEvent, now: Date): Change | null {
    if (payment.status !== 'succeeded') throw new DomainError('UNAVAILABLE')
    if (before && !isLater(event.status, before.status)) return null
    if (event.currency !== payment.currency)
      throw new Error(`refund ${event.providerRefundId} is in ${event.currency}, its payment in ${payment.currency}`)
    const { providerRefundId, amountMinor, status } = event
    const refund = { id: before?.id ?? newId(), providerRefundId, paymentId: payment.id, amountMinor, status }
    const command: RefundCommand = { type: 'recordRefund', refund, before }
    const isHeld = payment.id === deal.settledPaymentId && isAllowed(command.type, 'provider', stateOf(deal))
    if (!isHeld) return bookProviderRefund(deal, command)
    return decide(deal, command, { role: 'provider', now, daySeconds: this.config.DAY_SECONDS, refundId: newId() })
  }

  private get rows() {
    return this.dataSource.getRepository(RefundEntity)
  }
}

/**
 * The id of our own refund when the refund made by hand counts as it; null when it does not. It counts when an earlier message
 * decided so, or when ours is for the same amount and was not sent yet or has failed.
 */
function ownOf({ before, own }: DealWithRefund, { amountMinor, status }: RefundEvent): string | null {
  if (before) return before.origin === 'us' ? before.id : null
  const isUnpaid = own?.status === 'due' || own?.status === 'failed'
  return own && isUnpaid && own.amountMinor === amountMinor && status !== 'failed' ? own.id : null
}
