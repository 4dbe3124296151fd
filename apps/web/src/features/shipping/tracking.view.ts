import { trackingLabel } from './tracking-badge.js'
import type { Tracking } from './use-tracking.js'

/** The carrier's words beside the badge; what only repeats the badge is left out. */
export function trackingSentence({
  status,
  statusDescription,
}: Pick<Tracking, 'status' | 'statusDescription'>): string | null {
  const repeats = statusDescription.toLowerCase() === trackingLabel(status).toLowerCase()
  return statusDescription === '' || repeats ? null : statusDescription
}
