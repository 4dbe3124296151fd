import { adminRoutes } from 'virtual:admin-routes'
import { DEAL_CURRENCY, displayAmount, parseAmount } from '@holdfast/kernel/money'
import { useCall } from '../../lib/use-call.js'

export interface ApprovalLimit {
  /** The limit as people read it: "$500.00". */
  readonly words: string
  /** Whether an act that moves this amount waits for a second admin. An unknown or negative amount does not. */
  readonly isBelow: (amount: string | null | undefined) => boolean
}

/** The amount above which an act waits for a second admin; undefined while it is not known. */
export function useApprovalLimit(): ApprovalLimit | undefined {
  const { data } = useCall(adminRoutes.getApprovalLimit, {})
  if (!data) return undefined
  const limitMinor = parseAmount(data.amount, DEAL_CURRENCY)
  return {
    words: displayAmount(data.amount, data.currency),
    isBelow: amount => amount != null && !amount.startsWith('-') && parseAmount(amount, DEAL_CURRENCY) > limitMinor,
  }
}

/** The button of an act that waits for a second admin. */
export const ASK_LABEL = 'Ask for approval'

/**
 * What an act changes, with what the limit means for it.
 *
 * @param does a sentence: what the act changes when it is done
 */
export function withApproval(
  limit: ApprovalLimit | undefined,
  amount: string | null | undefined,
  does: string,
): string {
  if (!limit) return does
  if (limit.isBelow(amount))
    return `Nothing at first: this is more than ${limit.words}, so another admin must approve it. After that: ${does}`
  return amount == null
    ? `${does} Above ${limit.words} another admin must approve it first.`
    : `${does} Up to ${limit.words} it is done at once.`
}
