import type { Quote } from '@holdfast/contracts/payments'
import { buyerFeesOf, type FeeBasis, QUOTE_LINES, type QuoteLine, quoteLabel } from '@holdfast/kernel/fees'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import type { z } from 'zod'

/** What a payment for a deal consists of, to the cent: the lines, and their sum in minor units. */
export function quoteLines(deal: Omit<FeeBasis, 'sellerPlan'>, method: PaymentMethod) {
  const fees = buyerFeesOf(deal, method)
  const amounts: Record<QuoteLine, bigint> = {
    purchase_amount: deal.priceMinor,
    platform_fee: fees.platformFeeMinor,
    processing_fee: fees.processingFeeMinor,
  }
  // A payment method without a processing fee has no line for it.
  const lines = QUOTE_LINES.filter(line => line !== 'processing_fee' || amounts[line] > 0n)
  return {
    lines: lines.map(code => ({
      code,
      label: quoteLabel(code, fees.platformBasisPoints),
      amount: formatAmount(amounts[code], deal.currency),
    })) satisfies z.input<typeof Quote>['lines'],
    totalMinor: deal.priceMinor + fees.buyerFeeMinor,
  }
}
