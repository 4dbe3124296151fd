/** The aggregator's statuses of a parcel. */
const TRACKER_STATUSES = ['unknown', 'pre_transit', 'in_transit', 'out_for_delivery', 'delivered', 'failure'] as const
export type TrackerStatus = (typeof TRACKER_STATUSES)[number]

export interface Scan {
  readonly at: number
  readonly status: TrackerStatus
  readonly detail: string
  readonly message: string
  readonly city: string | null
}

/** A parcel. Its id is its number in capitals. */
export interface ParcelRecord {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly scans: readonly Scan[]
}

/** A subscription to the scans of a parcel. */
export interface TrackerRecord {
  readonly id: string
  readonly createdAt: number
  readonly code: string
  readonly parcelId: string
  readonly carrier: string
}

export interface CarrierEventRecord {
  readonly id: string
  readonly createdAt: number
  readonly description: 'tracker.created' | 'tracker.updated'
  /** The tracker as it was when the event happened, in wire form. */
  readonly result: unknown
  readonly previousStatus: TrackerStatus | null
}
