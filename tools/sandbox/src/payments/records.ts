/** The records of the payment provider. Amounts are integers in the currency's smallest unit, times are milliseconds. */

export type MethodType = 'card' | 'us_bank_account' | 'crypto' | 'customer_balance'

export interface BillingDetails {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly address: Readonly<Record<AddressLine, string | null>> | null
}
export type AddressLine = 'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state'

export interface PaymentMethodRecord {
  readonly id: string
  readonly createdAt: number
  readonly type: MethodType
  /** Which test card or test account it is: its name in the table. The number itself is not kept. */
  readonly instrument: string
  readonly expMonth: number
  readonly expYear: number
  readonly billing: BillingDetails
  readonly metadata: Metadata
  /** A method that paid once and belongs to no customer cannot pay again. */
  readonly used: boolean
  /** The customer with whom it is saved; absent for one that is not saved. */
  readonly customerId?: string
}

export type Metadata = Readonly<Record<string, string>>

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled'

export interface PaymentFailure {
  readonly code: string
  readonly declineCode: string | null
  readonly message: string
}

export interface IntentRecord {
  readonly id: string
  readonly createdAt: number
  readonly amount: number
  readonly currency: string
  readonly status: IntentStatus
  readonly clientSecret: string
  readonly methodTypes: readonly MethodType[]
  /** Null when the types were named explicitly. */
  readonly automaticMethods: 'always' | 'never' | null
  readonly captureMethod: 'automatic' | 'automatic_async'
  readonly confirmationMethod: 'automatic' | 'manual'
  readonly description: string | null
  readonly metadata: Metadata
  readonly receiptEmail: string | null
  readonly statementDescriptor: string | null
  readonly statementDescriptorSuffix: string | null
  readonly transferGroup: string | null
  readonly setupFutureUsage: 'on_session' | 'off_session' | null
  readonly shipping: Shipping | null
  readonly methodId: string | null
  readonly chargeId: string | null
  readonly lastError: (PaymentFailure & { readonly methodId: string; readonly chargeId: string | null }) | null
  /** How the payer is asked to act; null unless the status is requires_action. */
  readonly action: PayerAction | null
  readonly canceledAt: number | null
  readonly cancellationReason: string | null
  /** When a waiting payment settles by itself; null: only by hand. */
  readonly settlesAt: number | null
  /** Who pays it; absent for a payer whom the provider does not know. */
  readonly customerId?: string
  /** What of it bank transfers have paid so far. */
  readonly funded?: number
  /** The invoice of a subscription that it pays. */
  readonly invoiceId?: string
}

/** A card that is to be saved without paying. */
export interface SetupIntentRecord {
  readonly id: string
  readonly createdAt: number
  readonly customerId: string
  readonly metadata: Metadata
  readonly clientSecret: string
  readonly status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  readonly methodId: string | null
  readonly lastError: PaymentFailure | null
  readonly action: PayerAction | null
}

/** A payer with bank details of their own: a transfer that names them is this payer's. */
export interface CustomerRecord {
  readonly id: string
  readonly createdAt: number
  readonly email: string | null
  readonly metadata: Metadata
  readonly accountNumber: string
  readonly reference: string
  /** The card that pays what names no other. */
  readonly defaultMethodId?: string
  readonly deleted?: true
}

/** A movement of the money that the provider keeps for a payer, outside of the merchant's balance. */
export interface CashRecord {
  readonly id: string
  readonly createdAt: number
  readonly customerId: string
  readonly type:
    | 'funded'
    | 'applied_to_payment'
    | 'unapplied_from_payment'
    | 'refunded_from_payment'
    | 'return_initiated'
    | 'funding_reversed'
    | 'return_canceled'
  /** Signed: money that leaves the payer's balance is negative. */
  readonly netAmount: number
  readonly endingBalance: number
  readonly currency: string
  /** The payment that took the money, or gave it back. */
  readonly intentId?: string
  /** The refund of a payment that put the money here instead of into the payer's bank account. */
  readonly refundId?: string
}

export interface PayerAction {
  readonly kind: 'redirect' | 'sdk'
  readonly returnUrl: string | null
  /** Names the page where the payer acts; a visitor who knows it counts as the payer. Each attempt has a new one. */
  readonly token: string
}

export interface Shipping {
  readonly name: string
  readonly phone: string | null
  readonly carrier: string | null
  readonly trackingNumber: string | null
  readonly address: Readonly<Record<AddressLine, string | null>>
}

export interface ChargeRecord {
  readonly id: string
  readonly createdAt: number
  readonly intentId: string
  readonly methodId: string
  readonly amount: number
  readonly amountRefunded: number
  readonly currency: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly failure: PaymentFailure | null
  readonly balanceId: string | null
  readonly disputed: boolean
  readonly description: string | null
  readonly metadata: Metadata
}

/** The types of fees that the provider takes outside of charges (docs.stripe.com/reports/balance-transaction-types). */
export const ACCOUNT_FEE_TYPES = ['stripe_fee', 'stripe_fx_fee', 'tax_fee'] as const
type AccountFeeType = (typeof ACCOUNT_FEE_TYPES)[number]

export interface BalanceRecord {
  readonly id: string
  readonly createdAt: number
  readonly availableAt: number
  /** Signed: money that leaves the balance is negative. */
  readonly amount: number
  readonly fee: number
  readonly currency: string
  readonly type:
    | 'charge'
    | 'payment'
    | 'refund'
    | 'payment_refund'
    | 'refund_failure'
    | 'adjustment'
    | 'transfer'
    | 'transfer_refund'
    | 'payout'
    | 'payout_failure'
    | 'topup'
    | AccountFeeType
  /** What it is about; null for a fee that the provider takes outside of charges. */
  readonly sourceId: string | null
  readonly description: string | null
}

export interface RefundRecord {
  readonly id: string
  readonly createdAt: number
  /** Null for a return of money that no payment took: `customerId` says whose it is. */
  readonly chargeId: string | null
  readonly intentId: string | null
  readonly customerId?: string
  readonly amount: number
  readonly currency: string
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  readonly reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null
  readonly failureReason: string | null
  readonly metadata: Metadata
  readonly balanceId: string | null
  readonly failureBalanceId: string | null
  readonly settlesAt: number | null
}

export interface DisputeRecord {
  readonly id: string
  readonly createdAt: number
  readonly chargeId: string
  readonly intentId: string
  readonly amount: number
  readonly currency: string
  readonly status: 'needs_response' | 'won' | 'lost'
  readonly balanceIds: readonly string[]
}

export interface EventRecord {
  readonly id: string
  readonly createdAt: number
  readonly type: string
  /** The seller's account that it is about; none for an event of Holdfast's own account. */
  readonly account?: string
  /** The object as it was when the event happened, in wire form; as text, which needs half the memory. */
  readonly objectJson: string
  readonly previous: Readonly<Record<string, unknown>> | null
  readonly requestId: string | null
  readonly idempotencyKey: string | null
}
