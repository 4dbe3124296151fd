import type { TrackingStatus } from '@holdfast/kernel/tracking'
import { type BadgeLooks, humanCase, StatusBadge } from '../../components/badge.js'

/** The colours are the spec's (section 4). They are only a dot, so that green and amber grounds keep their one meaning. */
const BADGES: Record<TrackingStatus, BadgeLooks> = {
  pre_transit: { label: 'Label Created', dot: 'grey' },
  shipped: { dot: 'purple' },
  in_transit: { dot: 'yellow' },
  out_for_delivery: { label: 'Out for Delivery', dot: 'blue' },
  delivered: { dot: 'green' },
  exception: { dot: 'grey' },
}

export const trackingLabel = (status: TrackingStatus) => BADGES[status].label ?? humanCase(status)

export function TrackingBadge({ status }: { status: TrackingStatus }) {
  return <StatusBadge status={status} looks={BADGES[status]} />
}
