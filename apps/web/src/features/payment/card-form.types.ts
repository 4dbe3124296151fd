import type { Transaction } from '@holdfast/contracts/transactions'
import type { OpenPayment, PaymentStage } from './use-payment.js'

/** What both card forms take: our own fields for the sandbox, the provider's own for Stripe. */
export interface CardFormProps {
  readonly deal: Transaction
  readonly payment: OpenPayment
  /** The provider's refusal of the last card; null when there is none. */
  readonly problem: string | null
  readonly onStage: (next: PaymentStage) => void
}
