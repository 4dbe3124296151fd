import type { TrackingStatus } from '@holdfast/kernel/tracking'

/** What a status says where the carrier says nothing itself. */
const MEANINGS: Record<TrackingStatus, string> = {
  pre_transit: 'The carrier expects the parcel.',
  shipped: 'The carrier has the parcel.',
  in_transit: 'The parcel is on its way.',
  out_for_delivery: 'The parcel is out for delivery.',
  delivered: 'The parcel was delivered.',
  exception: 'The carrier reports a problem with the parcel.',
}

/** The aggregator's details that tell nothing. */
const EMPTY = new Set(['', 'unknown', 'status_update'])
const CODE = /^[a-z0-9]+(_[a-z0-9]+)*$/

/**
 * What people read about a parcel: the carrier's own words, or a code of the aggregator's written out, such as
 * `arrived_at_facility`, or what the status means.
 *
 * @param told from the most telling to the least
 */
export function parcelWords(status: TrackingStatus, ...told: readonly (string | null | undefined)[]): string {
  const words = told.map(text => text?.trim() ?? '').find(text => !EMPTY.has(text))
  if (words === undefined) return MEANINGS[status]
  return CODE.test(words) ? words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ') : words
}
