import type { PayoutAccountStatus, PayoutBlock } from '@holdfast/kernel/payouts'

/** What decides whether a seller can be paid out now. */
export interface PayoutConditions {
  readonly isVerified: boolean
  readonly emailConfirmed: boolean
  readonly status: PayoutAccountStatus
  /** The seller's balance in minor units. */
  readonly balanceMinor: bigint
}

/** Why a seller is paid nothing now; null when their whole balance can be paid out. */
export function blockOf({ isVerified, emailConfirmed, status, balanceMinor }: PayoutConditions): PayoutBlock | null {
  if (!isVerified) return 'not_verified'
  if (!emailConfirmed) return 'email_not_confirmed'
  if (status === 'none' || status === 'onboarding') return 'no_account'
  if (status === 'restricted') return 'account_restricted'
  if (balanceMinor < 0n) return 'negative_balance'
  return balanceMinor === 0n ? 'nothing_available' : null
}
