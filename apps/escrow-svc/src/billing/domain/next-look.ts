/** When the timer looks at a subscription again, if no event comes. Pure: times come from the caller. */
import { premiumEnds, type Standing } from './plan-of.js'

/** Without an event, the provider is asked this long after the end of a period. */
const ASK_AFTER_PERIOD_DAYS = 1 / 12
/** How often the provider is asked while a payment is awaited. */
const ASK_UNSETTLED_DAYS = 1 / 24
/** What could not be done is tried again after this time. */
export const RETRY_MS = 60_000

export interface Outlook extends Standing {
  /** Whether the user's account is closed, so that it is to end at once. */
  readonly endsAtOnce: boolean
  /** Whether an invoice waits for its payment. */
  readonly hasOpenInvoice: boolean
  /** Whether an invoice waits to become final. */
  readonly hasDraft: boolean
}

/** @returns null when nothing is left to do: it has ended, and no invoice of it can be paid any more */
export function nextLook(outlook: Outlook, now: Date, daySeconds: number): Date | null {
  const { status, periodEndsAt, endsAtOnce, hasOpenInvoice, hasDraft } = outlook
  const after = (from: Date, days: number) => new Date(from.getTime() + days * daySeconds * 1000)
  const soon = new Date(now.getTime() + RETRY_MS)
  // The provider collects nothing for what has ended, but a browser can still pay what is open.
  if (status === 'ended') return hasOpenInvoice ? soon : null
  // An order to end it at once stays, whatever is recorded before it was carried out.
  if (endsAtOnce) return soon
  const afterPeriod = periodEndsAt && after(periodEndsAt, ASK_AFTER_PERIOD_DAYS)
  const isSettled = status === 'active' && !hasOpenInvoice && !hasDraft && afterPeriod !== null && afterPeriod > now
  const asked = isSettled ? afterPeriod : after(now, ASK_UNSETTLED_DAYS)
  const ends = premiumEnds(outlook, daySeconds)
  return ends !== null && ends > now && ends < asked ? ends : asked
}
