/** Parcels: what a tracking number may look like and what a carrier reports (spec sections 4, 5 and 9). */

export const MAX_TRACKING_NUMBER_LENGTH = 60
export const MAX_CARRIER_LENGTH = 60
/** Tracking is looked up only for longer numbers (spec section 9). */
export const MIN_TRACKING_LOOKUP_LENGTH = 6
export const TRACKING_POLL_MS = 300_000

/** Carriers give a number to another parcel after months. Until then it belongs to the parcel that had it. */
export const NUMBER_KEPT_DAYS = 60

/**
 * How far in the future a scan may be dated. Some carriers give the local time as if it were UTC, and UTC+14 is the farthest time
 * zone. A report with a later scan is not believed.
 */
export const MAX_SCAN_AHEAD_MS = 14 * 3_600_000

export const TRACKING_STATUSES = [
  'pre_transit',
  'shipped',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'exception',
] as const
export type TrackingStatus = (typeof TRACKING_STATUSES)[number]
