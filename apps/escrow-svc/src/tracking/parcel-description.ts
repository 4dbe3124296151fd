import type { TrackingStatus } from '@holdfast/kernel/tracking'

/** The description of a status for which the carrier sends none. */
const DESCRIPTIONS: Record<TrackingStatus, string> = {
  pre_transit: 'The carrier expects the parcel.',
  shipped: 'The carrier has the parcel.',
  in_transit: 'The parcel is on its way.',
  out_for_delivery: 'The parcel is out for delivery.',
  delivered: 'The parcel was delivered.',
  exception: 'The carrier reports a problem with the parcel.',
}

/** Texts of the aggregator that carry no information. */
const UNINFORMATIVE = new Set(['', 'unknown', 'status_update'])
const CODE = /^[a-z0-9]+(_[a-z0-9]+)*$/

/**
 * Describes a parcel to people: with the carrier's own text, or with a code of the aggregator written out
 * (`arrived_at_facility` becomes "Arrived at facility"), or with the description of the status.
 *
 * @param texts the carrier's texts, the most detailed first
 */
export function describeParcel(status: TrackingStatus, ...texts: readonly (string | null | undefined)[]): string {
  const text = texts.map(each => each?.trim() ?? '').find(each => !UNINFORMATIVE.has(each))
  if (text === undefined) return DESCRIPTIONS[status]
  return CODE.test(text) ? text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ') : text
}
