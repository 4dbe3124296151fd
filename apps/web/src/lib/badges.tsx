/** What the statuses of each domain are called on a badge, and how it looks. Each domain has one table. */
import type { DealStatus } from '@holdfast/kernel/deals'
import type { DisputeStatus } from '@holdfast/kernel/disputes'
import type { ListingStatus } from '@holdfast/kernel/listings'
import type { TrackingStatus } from '@holdfast/kernel/tracking'
import { Badge, type BadgeDot, type BadgeTone } from '../components/badge.js'

interface BadgeLooks {
  readonly label: string
  readonly tone?: BadgeTone
  readonly dot?: BadgeDot
}

/**
 * Green only while the money is held safe. Amber is on no badge: it means "your turn", and a status does not know who
 * reads it.
 */
const DEAL_BADGES: Record<DealStatus, BadgeLooks> = {
  pending: { label: 'Pending' },
  // The funds have arrived and can still be taken back: they are not safe yet.
  secured: { label: 'Secured' },
  in_progress: { label: 'In Progress', tone: 'held' },
  paid: { label: 'Paid', tone: 'held' },
  shipped: { label: 'Shipped', tone: 'held' },
  delivered: { label: 'Delivered', tone: 'held' },
  inspection: { label: 'Inspection', tone: 'held' },
  released: { label: 'Released', tone: 'done' },
  completed: { label: 'Completed', tone: 'done' },
  cancelled: { label: 'Cancelled' },
  disputed: { label: 'Disputed', tone: 'trouble' },
}
export const DealBadge = ({ status }: { status: DealStatus }) => <LooksBadge looks={DEAL_BADGES[status]} />

/** Shown as the server writes them (spec section 4). */
const LISTING_BADGES: Record<ListingStatus, BadgeLooks> = {
  active: { label: 'active', tone: 'done' },
  reserved: { label: 'reserved' },
  sold: { label: 'sold' },
  inactive: { label: 'inactive' },
}
export const ListingBadge = ({ status }: { status: ListingStatus }) => <LooksBadge looks={LISTING_BADGES[status]} />

const DISPUTE_BADGES: Record<DisputeStatus, BadgeLooks> = {
  open: { label: 'open', tone: 'trouble' },
  investigating: { label: 'investigating', tone: 'trouble' },
  resolved: { label: 'resolved' },
  closed: { label: 'closed', tone: 'done' },
}
export const DisputeBadge = ({ status }: { status: DisputeStatus }) => <LooksBadge looks={DISPUTE_BADGES[status]} />

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

function LooksBadge({ looks: { label, tone, dot } }: { looks: BadgeLooks }) {
  return (
    <Badge {...(tone ? { tone } : {})} {...(dot ? { dot } : {})}>
      {label}
    </Badge>
  )
}
