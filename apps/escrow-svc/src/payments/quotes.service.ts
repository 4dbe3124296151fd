import type { Quote } from '@holdfast/contracts/payments'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { DealQueries } from '../deals/deal-queries.js'
import { quoteLines } from './quote-lines.js'

/** Quotes what the buyer will be charged. A payment charges the same total, to the cent. */
@Injectable()
export class QuotesService {
  constructor(
    private readonly deals: DealQueries,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /** @throws DomainError `TRANSACTION_NOT_FOUND`; `FORBIDDEN` for the seller, who is charged nothing */
  async quote(id: number, viewerId: string, method: PaymentMethod): Promise<z.input<typeof Quote>> {
    const deal = await this.deals.getVisible(id, viewerId)
    if (deal.buyerId !== viewerId) throw new DomainError('FORBIDDEN')
    const { lines, totalMinor } = quoteLines(deal, method)
    const total = formatAmount(totalMinor, deal.currency)
    return { currency: deal.currency, lines, total, methods: this.config.PAYMENT_METHODS }
  }
}
