import type { Quote } from '@holdfast/contracts/payments'
import { DomainError } from '@holdfast/kernel/errors'
import { QUOTE_LINES, quoteLabel } from '@holdfast/kernel/fees'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { DealQueries } from '../deals/deal-queries.js'

/** What the buyer will be charged: the fees were rounded when the deal opened, so the quote is the charge, to the cent. */
@Injectable()
export class QuotesService {
  constructor(private readonly deals: DealQueries) {}

  /** @throws DomainError `TRANSACTION_NOT_FOUND`; `FORBIDDEN` for the seller, who is charged nothing */
  async quote(id: number, viewerId: string, _method: PaymentMethod): Promise<z.input<typeof Quote>> {
    const deal = await this.deals.getVisible(id, viewerId)
    if (deal.buyerId !== viewerId) throw new DomainError('FORBIDDEN')
    const parts = {
      purchase_amount: deal.priceMinor,
      platform_fee: deal.platformFeeMinor,
      processing_fee: deal.processingFeeMinor,
    }
    return {
      currency: deal.currency,
      lines: QUOTE_LINES.map(code => ({
        code,
        label: quoteLabel(code, 200),
        amount: formatAmount(parts[code], deal.currency),
      })),
      total: formatAmount(deal.priceMinor + deal.buyerFeeMinor, deal.currency),
    }
  }
}
