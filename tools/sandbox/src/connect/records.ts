import type { Metadata } from '../payments/records.js'

/** The records of sellers' accounts at the provider. Amounts are integers in the smallest unit, times are milliseconds. */

export interface BankRecord {
  readonly id: string
  readonly bankName: string
  readonly last4: string
  /** Which test account it is: its name in the table. The number itself is not kept. */
  readonly instrument: string
  /** A bank that has returned a payout: the provider pays nothing into it until it is replaced. */
  readonly errored: boolean
}

export interface AccountRecord {
  readonly id: string
  readonly createdAt: number
  readonly metadata: Metadata
  readonly holder: string | null
  readonly bank: BankRecord | null
  /** Stopped by a person on the sandbox's page. */
  readonly stopped: boolean
}

/** A link to the form of an account. Its id is the secret part of the address. */
export interface AccountLinkRecord {
  readonly id: string
  readonly createdAt: number
  readonly accountId: string
  readonly returnUrl: string
  readonly used: boolean
}

export interface TransferRecord {
  readonly id: string
  readonly createdAt: number
  readonly amount: number
  readonly amountReversed: number
  readonly currency: string
  readonly destination: string
  readonly transferGroup: string | null
  readonly metadata: Metadata
  readonly balanceId: string
  readonly reversals: readonly ReversalRecord[]
}

export interface ReversalRecord {
  readonly id: string
  readonly createdAt: number
  readonly amount: number
  readonly metadata: Metadata
  readonly balanceId: string
}

export interface PayoutRecord {
  readonly id: string
  readonly createdAt: number
  /** The seller's account; null for a payout to Holdfast's own bank. */
  readonly accountId: string | null
  readonly amount: number
  readonly currency: string
  readonly status: 'in_transit' | 'paid' | 'failed'
  readonly bank: BankRecord | null
  readonly failureCode: string | null
  readonly metadata: Metadata
  /** When it arrives or fails by itself; null when it is over. */
  readonly settlesAt: number | null
}

/** Whether the provider pays into the bank of an account. */
export const isPayable = ({ bank, stopped }: AccountRecord): boolean => bank !== null && !bank.errored && !stopped
