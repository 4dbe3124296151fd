import type { TrackingStatus } from '@holdfast/kernel/tracking'
import type { Tracking } from './use-tracking.js'

export const TRACKING_WORDS: Record<TrackingStatus, string> = {
  pre_transit: 'Label Created',
  shipped: 'Shipped',
  in_transit: 'In Transit',
  out_for_delivery: 'Out for Delivery',
  delivered: 'Delivered',
  exception: 'Exception',
}

/** The carrier's words beside the badge; what only repeats the badge is left out. */
export function trackingSentence({
  status,
  statusDescription,
}: Pick<Tracking, 'status' | 'statusDescription'>): string | null {
  const repeats = statusDescription.toLowerCase() === TRACKING_WORDS[status].toLowerCase()
  return statusDescription === '' || repeats ? null : statusDescription
}
