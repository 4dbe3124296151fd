import type { Quote } from '@holdfast/contracts/payments'
import { DomainError } from '@holdfast/kernel/errors'
import { buyerFeesOf, QUOTE_LINES, type QuoteLine, quoteLabel } from '@holdfast/kernel/fees'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { DealQueries } from '../deals/deal-queries.js'

/** Quotes what the buyer will be charged. A payment charges the same total, to the cent. */
@Injectable()
export class QuotesService {
  constructor(private readonly deals: DealQueries) {}

  /** @throws DomainError `TRANSACTION_NOT_FOUND`; `FORBIDDEN` for the seller, who is charged nothing */
  async quote(id: number, viewerId: string, method: PaymentMethod): Promise<z.input<typeof Quote>> {
    const deal = await this.deals.getVisible(id, viewerId)
    if (deal.buyerId !== viewerId) throw new DomainError('FORBIDDEN')
    const fees = buyerFeesOf(deal, method)
    const amounts: Record<QuoteLine, bigint> = {
      purchase_amount: deal.priceMinor,
      platform_fee: fees.platformFeeMinor,
      processing_fee: fees.processingFeeMinor,
    }
    // A payment method without a processing fee has no line for it.
    const lines = QUOTE_LINES.filter(line => line !== 'processing_fee' || amounts[line] > 0n)
    return {
      currency: deal.currency,
      lines: lines.map(code => ({
        code,
        label: quoteLabel(code, fees.platformBasisPoints),
        amount: formatAmount(amounts[code], deal.currency),
      })),
      total: formatAmount(deal.priceMinor + fees.buyerFeeMinor, deal.currency),
    }
  }
}
