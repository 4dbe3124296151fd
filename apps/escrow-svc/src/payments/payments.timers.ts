import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { DealDeadlines, PAYMENT_WINDOW } from '../deals/deal-deadlines.js'
import { CancellationService } from './cancellation.service.js'
import { CryptoPaymentsService } from './crypto/crypto-payments.service.js'
import { PayersService } from './payers.service.js'
import { PaymentsService } from './payments.service.js'
import { ProviderDaysService } from './provider-days.service.js'
import { ProviderFeesService } from './provider-fees.service.js'
import { ProviderRefundsService } from './provider-refunds.service.js'
import { RefundsService } from './refunds.service.js'

/** A day of ten thousand charges has some hundred pages, each of which may take seconds. */
const PROVIDER_DAY_BUDGET_MS = 10 * 60_000

/**
 * The timers that call the providers: payment windows, lost intents, payments in cryptocurrency, refunds to send or to ask about, provider
 * fees, days to compare, and addresses of payers to erase.
 */
@Injectable()
export class PaymentsTimers implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly deadlines: DealDeadlines,
    private readonly cancellations: CancellationService,
    private readonly payments: PaymentsService,
    private readonly refunds: RefundsService,
    private readonly providerRefunds: ProviderRefundsService,
    private readonly fees: ProviderFeesService,
    private readonly providerDays: ProviderDaysService,
    private readonly crypto: CryptoPaymentsService,
    private readonly payers: PayersService,
  ) {}

  onModuleInit(): void {
    const { timers, deadlines, cancellations, payments, refunds, providerRefunds, fees, providerDays, crypto, payers } =
      this
    timers.add({
      name: PAYMENT_WINDOW,
      upcoming: (aheadMs, limit) => deadlines.due(PAYMENT_WINDOW, aheadMs, limit),
      fire: id => cancellations.endPaymentWindow(Number(id)),
    })
    timers.add({
      name: 'lost-intent',
      atOnce: 1,
      upcoming: (aheadMs, limit) => payments.dueChecks(aheadMs, limit),
      fire: id => payments.cancelLostIntents(id),
    })
    timers.add({
      name: 'crypto-payment',
      atOnce: 2,
      upcoming: (aheadMs, limit) => crypto.due(aheadMs, limit),
      fire: id => crypto.askDue(id),
    })
    timers.add({
      name: 'refund',
      upcoming: (aheadMs, limit) => refunds.due(aheadMs, limit),
      fire: id => refunds.send(id),
    })
    timers.add({
      name: 'provider-refund',
      atOnce: 1,
      upcoming: (aheadMs, limit) => providerRefunds.due(aheadMs, limit),
      fire: id => providerRefunds.ask(id),
    })
    timers.add({
      name: 'provider-fee',
      // No deal depends on it. In a busy hour the processors and the provider's rate limit are left to the deals.
      atOnce: 1,
      upcoming: (aheadMs, limit) => fees.due(aheadMs, limit),
      fire: id => fees.record(id),
    })
    timers.add({
      name: 'provider-day',
      // One day after the other, however slowly the provider lists its movements.
      atOnce: 1,
      budgetMs: PROVIDER_DAY_BUDGET_MS,
      upcoming: aheadMs => providerDays.due(aheadMs),
      fire: id => providerDays.compareIfDue(id),
    })
    timers.add({
      name: 'payer-address',
      atOnce: 1,
      upcoming: (aheadMs, limit) => payers.due(aheadMs, limit),
      fire: id => payers.eraseAddress(id),
    })
  }
}
