import type { BankTransfer } from '@holdfast/contracts/payments'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentEntity } from './payment.entity.js'

/** Where the buyer transfers the money, and what has arrived of it; null for a payment without bank details. */
export function bankTransferOf(payment: PaymentEntity): BankTransfer | null {
  const { transfer, status, amountMinor, currency } = payment
  if (!transfer) return null
  // Once the provider works on a transfer, all of it has arrived.
  const isComplete = status === 'processing' || status === 'succeeded'
  const receivedMinor = isComplete ? amountMinor : payment.receivedMinor
  return {
    ...transfer,
    total: formatAmount(amountMinor, currency),
    received: formatAmount(receivedMinor, currency),
    missing: formatAmount(amountMinor - receivedMinor, currency),
    currency,
  }
}
