import type { Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { enqueue } from '../webhooks/queue.js'
import type { CarrierEventRecord, ParcelRecord, Scan, TrackerRecord, TrackerStatus } from './records.js'
import { renderTracker, statusOf } from './render.js'

const MAX_SCANS = 100

/** The scans of a parcel, in their usual order. */
export const MOVES = ['accepted', 'in_transit', 'out_for_delivery', 'delivered', 'lost'] as const
export type Move = (typeof MOVES)[number]

const SCANS: Readonly<Record<Move, Pick<Scan, 'status' | 'detail' | 'message' | 'city'>>> = {
  accepted: {
    status: 'in_transit',
    detail: 'package_accepted',
    message: 'Accepted at the carrier',
    city: 'Portland',
  },
  in_transit: {
    status: 'in_transit',
    detail: 'in_transit',
    message: 'In transit to the next facility',
    city: 'Denver',
  },
  out_for_delivery: {
    status: 'out_for_delivery',
    detail: 'out_for_delivery',
    message: 'Out for delivery',
    city: 'Chicago',
  },
  delivered: {
    status: 'delivered',
    detail: 'delivered',
    message: 'Delivered, left at the front door',
    city: 'Chicago',
  },
  lost: { status: 'failure', detail: 'lost', message: 'Lost on the way', city: null },
}

/** The scan that follows a parcel's newest one; null after the last. */
export function nextMove(parcel: ParcelRecord): Move | null {
  const detail = parcel.scans.at(-1)?.detail
  if (detail === undefined) return 'accepted'
  const index = MOVES.findIndex(move => SCANS[move].detail === detail)
  return index < 0 || index >= MOVES.indexOf('delivered') ? null : MOVES[index + 1]!
}

/** Numbers that differ only in case or spaces are one parcel. */
export const parcelId = (code: string): string => code.replaceAll(/\s/g, '').toUpperCase()

/** Creates a tracker for a number, or answers the one that exists for that number and carrier. */
export function track(context: Context, code: string, carrier: string): TrackerRecord {
  const id = parcelId(code)
  const known = trackersOf(context, id).find(each => each.carrier.toLowerCase() === carrier.toLowerCase())
  if (known) return known
  ensureParcel(context, id)
  const tracker = context.state.trackers.put({
    id: objectId('trk'),
    createdAt: context.now(),
    code: code.trim(),
    parcelId: id,
    carrier,
  })
  tell(context, 'tracker.created', tracker, null)
  return tracker
}

/** Adds a scan to a parcel, known or not, and puts an event for each of its trackers. */
export function move(
  context: Context,
  code: string,
  wanted: Move,
  more: { at?: number; message?: string } = {},
): ParcelRecord {
  const parcel = ensureParcel(context, parcelId(code))
  const previous = statusOf(parcel)
  const template = SCANS[wanted]
  const scan: Scan = { ...template, at: more.at ?? context.now(), message: more.message ?? template.message }
  const moved = context.state.parcels.put({
    ...parcel,
    updatedAt: context.now(),
    scans: [...parcel.scans, scan].slice(-MAX_SCANS),
  })
  for (const tracker of trackersOf(context, parcel.id)) tell(context, 'tracker.updated', tracker, previous)
  return moved
}

export function trackersOf(context: Context, id: string): TrackerRecord[] {
  return context.state.trackers.newestFirst().filter(each => each.parcelId === id)
}

function ensureParcel(context: Context, id: string): ParcelRecord {
  const now = context.now()
  return context.state.parcels.get(id) ?? context.state.parcels.put({ id, createdAt: now, updatedAt: now, scans: [] })
}

function tell(
  context: Context,
  description: CarrierEventRecord['description'],
  tracker: TrackerRecord,
  previousStatus: TrackerStatus | null,
): void {
  const event = context.state.carrierEvents.put({
    id: objectId('evt'),
    createdAt: context.now(),
    description,
    result: renderTracker(context, tracker),
    previousStatus,
  })
  enqueue(context, 'carrier', event.id, description, tracker.code)
}
