/** The assets of the crypto processor's sandbox. */
export const ASSETS = ['BTC', 'ETH', 'USDC', 'USDT'] as const
export type Asset = (typeof ASSETS)[number]

/** How much of an asset must be sent, to which address, and until when. Amounts are in the asset's smallest unit, as text. */
export interface QuoteRecord {
  readonly id: string
  readonly asset: Asset
  readonly units: string
  readonly address: string
  readonly refundAddress: string | null
  readonly expiresAt: number
}

/** What the processor sends back by itself: all of a payment that was wrong, or what of it was too much. */
export interface AutomaticRefund {
  readonly id: string
  readonly units: string
  readonly address: string
  readonly state: 'initiated' | 'completed'
}

/** A transaction of a network to the address of a quote. */
export interface CryptoPaymentRecord {
  readonly quoteId: string
  readonly units: string
  readonly transactionId: string
  readonly receivedAt: number
  readonly confirmations: number
  readonly confirmedAt: number | null
  readonly automaticRefund: AutomaticRefund | null
}

export type CryptoIntentState = 'pending' | 'completed' | 'failed'

/** What a merchant asks to be paid, with its quotes and payments in the order in which they came. */
export interface CryptoIntentRecord {
  readonly id: string
  readonly createdAt: number
  /** In cents. */
  readonly amount: number
  readonly currency: string
  readonly orderId: string
  readonly customerId: string | null
  readonly state: CryptoIntentState
  readonly stateReason: string | null
  readonly quotes: readonly QuoteRecord[]
  readonly payments: readonly CryptoPaymentRecord[]
}

/** Money that the merchant sends to a wallet. */
export interface WithdrawalRecord {
  readonly id: string
  readonly createdAt: number
  readonly orderId: string
  /** In cents. */
  readonly amount: number
  readonly currency: string
  readonly asset: Asset
  readonly units: string
  readonly address: string
  readonly customerId: string | null
  /** What the merchant has named besides; null for nothing, and in records of earlier releases left out. */
  readonly contextJson?: string | null
  readonly state: 'created' | 'completed'
  readonly transactionId: string | null
}

export interface CryptoEventRecord {
  readonly id: string
  readonly createdAt: number
  readonly event: string
  readonly contextJson: string
}
