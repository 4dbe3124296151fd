import type { TrackingStatus } from '@holdfast/kernel/transactions'
import type { Tracking } from './use-tracking.js'

export const TRACKING_WORDS: Record<TrackingStatus, string> = {
  pre_transit: 'Label Created',
  shipped: 'Shipped',
  in_transit: 'In Transit',
  out_for_delivery: 'Out for Delivery',
  delivered: 'Delivered',
  exception: 'Exception',
}

/** The carrier's own words beside the badge; a bare code is written out, and what only repeats the badge is left out. */
export function trackingSentence({
  status,
  statusDescription,
}: Pick<Tracking, 'status' | 'statusDescription'>): string | null {
  const words = /^[a-z0-9_]+$/.test(statusDescription) ? statusDescription.replaceAll('_', ' ') : statusDescription
  if (words === '' || words.toLowerCase() === TRACKING_WORDS[status].toLowerCase()) return null
  return words.charAt(0).toUpperCase() + words.slice(1)
}
