import type { TrackingStatus } from '@holdfast/kernel/tracking'
import { type BadgeLooks, LooksBadge } from '../../components/badge.js'

/** The colours are the spec's (section 4). They are only a dot, so that green and amber grounds keep their one meaning. */
const TRACKING_BADGES: Record<TrackingStatus, BadgeLooks> = {
  pre_transit: { label: 'Label Created', dot: 'grey' },
  shipped: { label: 'Shipped', dot: 'purple' },
  in_transit: { label: 'In Transit', dot: 'yellow' },
  out_for_delivery: { label: 'Out for Delivery', dot: 'blue' },
  delivered: { label: 'Delivered', dot: 'green' },
  exception: { label: 'Exception', dot: 'grey' },
}
export const trackingLabel = (status: TrackingStatus) => TRACKING_BADGES[status].label
export const TrackingBadge = ({ status }: { status: TrackingStatus }) => <LooksBadge looks={TRACKING_BADGES[status]} />
