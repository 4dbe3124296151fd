/** When the timer looks at a subscription again, if no event comes. Pure: times come from the caller. */
import { premiumEnds, type Standing } from './plan-of.js'

/** Without an event, the provider is asked this long after the end of a period. */
const ASK_AFTER_PERIOD_DAYS = 1 / 12
/** How often the provider is asked while a payment is awaited. */
const ASK_UNSETTLED_DAYS = 1 / 24
/** A step that failed is tried again after this time. */
export const RETRY_MS = 60_000

export interface Outlook extends Standing {
  /** Whether it is to end at once: the user's account is closed, or the money of its period went back. */
  readonly endsAtOnce: boolean
  /** Whether we still have to cancel it at the provider. */
  readonly isToCancel: boolean
  /** Whether an invoice waits for its payment. */
  readonly hasOpenInvoice: boolean
  /** Whether an invoice waits to become final. */
  readonly hasDraft: boolean
}

/** @returns null when nothing is left to do: the subscription has ended, and none of its invoices can be paid any more */
export function nextLook(outlook: Outlook, now: Date, daySeconds: number): Date | null {
  const { status, periodEndsAt, endsAtOnce, isToCancel, hasOpenInvoice, hasDraft } = outlook
  const after = (from: Date, days: number) => new Date(from.getTime() + days * daySeconds * 1000)
  const soon = new Date(now.getTime() + RETRY_MS)
  // The provider charges no card for an ended subscription, but a page that is still loaded can pay its open invoice.
  if (status === 'ended') return hasOpenInvoice ? soon : null
  // An order to end or to cancel it stays until it is carried out, whatever the provider reports before.
  if (endsAtOnce || isToCancel) return soon
  const afterPeriod = periodEndsAt && after(periodEndsAt, ASK_AFTER_PERIOD_DAYS)
  const isSettled = status === 'active' && !hasOpenInvoice && !hasDraft && afterPeriod !== null && afterPeriod > now
  const asked = isSettled ? afterPeriod : after(now, ASK_UNSETTLED_DAYS)
  const ends = premiumEnds(outlook, daySeconds)
  return ends !== null && ends > now && ends < asked ? ends : asked
}
