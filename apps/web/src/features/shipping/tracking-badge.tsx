import type { TrackingStatus } from '@holdfast/kernel/tracking'
import { Badge, type BadgeLooks } from '../../components/badge.js'

/** The colours are the spec's (section 4). They are only a dot, so that green and amber grounds keep their one meaning. */
const BADGES: Record<TrackingStatus, BadgeLooks> = {
  pre_transit: { label: 'Label Created', dot: 'grey' },
  shipped: { label: 'Shipped', dot: 'purple' },
  in_transit: { label: 'In Transit', dot: 'yellow' },
  out_for_delivery: { label: 'Out for Delivery', dot: 'blue' },
  delivered: { label: 'Delivered', dot: 'green' },
  exception: { label: 'Exception', dot: 'grey' },
}

export const trackingLabel = (status: TrackingStatus) => BADGES[status].label

export function TrackingBadge({ status }: { status: TrackingStatus }) {
  const { label, ...looks } = BADGES[status]
  return <Badge {...looks}>{label}</Badge>
}
