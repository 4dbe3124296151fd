/** Stripe's payment intents and refunds, reduced to what we use. */
import type { BankTransfer } from '@holdfast/contracts/payments'
import type { RefundStatus } from '@holdfast/kernel/payments'
import type Stripe from 'stripe'

/** A payment intent: the provider's side of a payment. */
export interface Intent {
  readonly id: string
  readonly clientSecret: string | null
  readonly state: 'open' | 'processing' | 'succeeded' | 'cancelled'
  readonly chargeId: string | null
  /** The money that has arrived, in minor units. */
  readonly receivedMinor: bigint
  /** What is to be paid, in minor units. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Whether the latest attempt to pay has failed: a card was declined, or a bank has taken its transfer back. */
  readonly hasFailed: boolean
  /** The payer whose bank transfers pay it; null for a card. */
  readonly customerId: string | null
  /** The customer whose saved cards can pay it; null for none. */
  readonly holderId: string | null
  /** While it waits for a bank transfer: where the money is to be sent, and what is missing of it. */
  readonly transfer: { readonly details: TransferDetails; readonly missingMinor: bigint } | null
}

/** The bank details of a payment by bank transfer. */
export type TransferDetails = Pick<
  BankTransfer,
  'accountHolder' | 'bankName' | 'routingNumber' | 'accountNumber' | 'reference'
>

/** The statuses of a refund that the provider knows of. */
export type SentRefundStatus = Extract<RefundStatus, 'sent' | 'confirmed' | 'failed'>

/** Reads Stripe's intent. */
export function toIntent(intent: Stripe.PaymentIntent): Intent {
  return {
    id: intent.id,
    clientSecret: intent.client_secret,
    state: INTENT_STATES[intent.status] ?? 'open',
    chargeId: idOf(intent.latest_charge),
    receivedMinor: BigInt(intent.amount_received),
    amountMinor: BigInt(intent.amount),
    currency: intent.currency.toUpperCase(),
    hasFailed: intent.status === 'requires_payment_method' && intent.last_payment_error !== null,
    customerId: intent.payment_method_types.includes('customer_balance') ? idOf(intent.customer) : null,
    holderId: idOf(intent.customer),
    transfer: transferOf(intent),
  }
}

/** What the payer is told about a transfer from a bank in the United States. */
function transferOf({ next_action: next }: Stripe.PaymentIntent): Intent['transfer'] {
  const instructions = next?.display_bank_transfer_instructions
  const aba = instructions?.financial_addresses?.find(({ type }) => type === 'aba')?.aba
  if (!instructions || !aba) return null
  return {
    details: {
      accountHolder: aba.account_holder_name,
      bankName: aba.bank_name,
      routingNumber: aba.routing_number,
      accountNumber: aba.account_number,
      reference: instructions.reference ?? '',
    },
    missingMinor: BigInt(instructions.amount_remaining ?? 0),
  }
}

const INTENT_STATES: Partial<Record<Stripe.PaymentIntent.Status, Intent['state']>> = {
  succeeded: 'succeeded',
  processing: 'processing',
  canceled: 'cancelled',
}

/** Our status for Stripe's status of a refund. */
export function refundStatus(status: Stripe.Refund['status']): SentRefundStatus {
  switch (status) {
    case 'succeeded':
      return 'confirmed'
    case 'failed':
    case 'canceled':
      return 'failed'
    default:
      return 'sent'
  }
}

/** The id of an object that Stripe names or includes. */
export const idOf = (object: string | { readonly id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null)
