import type { Context } from '../context.js'
import type { CarrierEventRecord, ParcelRecord, Scan, TrackerRecord, TrackerStatus } from './records.js'

/** The estimated delivery of an accepted parcel, in days; `DAY_SECONDS` scales them. */
const PROMISED_WITHIN_DAYS = 3

const iso = (ms: number): string => new Date(ms).toISOString()

/** Of a parcel without a scan only its number is known. */
export function statusOf(parcel: ParcelRecord | undefined): TrackerStatus {
  return parcel?.scans.at(-1)?.status ?? 'pre_transit'
}

/** A tracker as the aggregator writes it (docs.easypost.com/docs/trackers). */
export function renderTracker(context: Context, tracker: TrackerRecord) {
  const parcel = context.state.parcels.get(tracker.parcelId)
  const scans = parcel?.scans ?? []
  const first = scans[0]
  return {
    id: tracker.id,
    object: 'Tracker',
    mode: 'test',
    tracking_code: tracker.code,
    carrier: tracker.carrier,
    status: statusOf(parcel),
    status_detail: scans.at(-1)?.detail ?? 'label_created',
    created_at: iso(tracker.createdAt),
    updated_at: iso(Math.max(tracker.createdAt, parcel?.updatedAt ?? 0)),
    signed_by: null,
    weight: null,
    est_delivery_date: first ? iso(first.at + PROMISED_WITHIN_DAYS * context.config.daySeconds * 1000) : null,
    shipment_id: null,
    public_url: `${context.origin()}/#parcel-${encodeURIComponent(tracker.parcelId)}`,
    tracking_details: scans.map(scan => renderScan(scan, tracker.carrier)),
    fees: [],
  } as const
}

function renderScan(scan: Scan, carrier: string) {
  return {
    object: 'TrackingDetail',
    message: scan.message,
    description: scan.message,
    status: scan.status,
    status_detail: scan.detail,
    datetime: iso(scan.at),
    source: carrier,
    tracking_location: {
      object: 'TrackingLocation',
      city: scan.city,
      state: null,
      country: scan.city ? 'US' : null,
      zip: null,
    },
  } as const
}

/** An event as the aggregator posts it (docs.easypost.com/docs/events). */
export function renderCarrierEvent(event: CarrierEventRecord) {
  return {
    id: event.id,
    object: 'Event',
    mode: 'test',
    description: event.description,
    previous_attributes: event.previousStatus ? { status: event.previousStatus } : {},
    created_at: iso(event.createdAt),
    updated_at: iso(event.createdAt),
    status: 'pending',
    pending_urls: [],
    completed_urls: [],
    result: event.result,
  } as const
}
