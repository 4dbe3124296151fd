/** A bank account of the sandbox, and what happens to a payout into it. */
export interface TestBank {
  readonly number: string
  readonly does: string
  /** The code with which payouts fail after they were in transit; null when they arrive. */
  readonly failure: string | null
  /** How long a payout is in transit when that is not the usual time; `DAY_SECONDS` scales it. */
  readonly transitDays?: number
}

export const TEST_ROUTING_NUMBER = '110000000'
export const TEST_BANK_NAME = 'Test Bank'

/** The provider's own test numbers (docs.stripe.com/connect/testing#account-numbers), and a slow bank, which it has none of. */
export const TEST_BANKS: Readonly<Record<string, TestBank>> = {
  pays: { number: '000123456789', does: 'Payouts arrive', failure: null },
  slow: { number: '000987656789', does: 'Payouts arrive after five days', failure: null, transitDays: 5 },
  no_account: { number: '000111111116', does: 'Payouts come back: no such account', failure: 'no_account' },
  account_closed: { number: '000111111113', does: 'Payouts come back: account closed', failure: 'account_closed' },
  debit_not_authorized: {
    number: '000333333335',
    does: 'Payouts come back: not allowed',
    failure: 'debit_not_authorized',
  },
}
