import { DomainError } from '@holdfast/kernel/errors'
import type { PayoutAccountStatus, PayoutBlock } from '@holdfast/kernel/payouts'

/** What decides whether a seller can be paid out now. */
export interface PayoutConditions {
  readonly isVerified: boolean
  readonly emailConfirmed: boolean
  readonly status: PayoutAccountStatus
  /** The bank account was changed a short time ago, and the seller has not confirmed it. */
  readonly isWaiting: boolean
  /** The seller's balance in minor units. */
  readonly balanceMinor: bigint
  /** What of it can be paid out: zero or less while banks that still decide may take all of it. */
  readonly payableMinor: bigint
}

/**
 * Every reason for which a seller is paid nothing now; none when `payableMinor` can be paid out. That there is nothing to pay out is a
 * reason only when there is no other.
 */
export function blocksOf({
  isVerified,
  emailConfirmed,
  status,
  isWaiting,
  balanceMinor,
  payableMinor,
}: PayoutConditions): PayoutBlock[] {
  const blocks: PayoutBlock[] = []
  if (!isVerified) blocks.push('not_verified')
  if (!emailConfirmed) blocks.push('email_not_confirmed')
  if (status === 'none' || status === 'onboarding') blocks.push('no_account')
  if (status === 'restricted') blocks.push('account_restricted')
  if (isWaiting) blocks.push('account_changed')
  if (balanceMinor < 0n) blocks.push('negative_balance')
  if (balanceMinor > 0n && payableMinor <= 0n) blocks.push('bank_decides')
  return blocks.length === 0 && balanceMinor === 0n ? ['nothing_available'] : blocks
}

/** @returns the refusal `PAYOUT_NOT_POSSIBLE` with all reasons in words, and the first one as `details.blockedBy` */
export const payoutRefusal = (blocks: readonly PayoutBlock[], texts: Readonly<Record<PayoutBlock, string>>) =>
  new DomainError('PAYOUT_NOT_POSSIBLE', { blockedBy: blocks[0] }, blocks.map(block => texts[block]).join(' '))
