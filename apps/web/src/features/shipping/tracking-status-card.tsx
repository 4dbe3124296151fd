import { routes } from 'virtual:routes'
import type { TrackingInfo } from '@holdfast/contracts/transactions'
import { MIN_TRACKING_LOOKUP_LENGTH, TRACKING_POLL_MS, type TrackingStatus } from '@holdfast/kernel/transactions'
import type { z } from 'zod'
import { Badge, type BadgeTone } from '../../components/badge.js'
import { Facts } from '../../components/facts.js'
import { LoadError } from '../../components/load-error.js'
import { Notice } from '../../components/notice.js'
import { Panel } from '../../components/panel.js'
import { Spinner } from '../../components/spinner.js'
import { isStatus } from '../../lib/api.js'
import { formatDate, formatDateTime } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'

type Tracking = z.infer<typeof TrackingInfo>

/** Where the parcel is, asked again every five minutes; short numbers are not looked up (spec section 5). */
export function TrackingStatusCard({ trackingNumber }: { trackingNumber: string }) {
  const lookedUp = trackingNumber.length >= MIN_TRACKING_LOOKUP_LENGTH
  const { data, error, isLoading, mutate } = useCall(
    routes.getTracking,
    lookedUp ? { params: { trackingNumber } } : null,
    { refreshInterval: TRACKING_POLL_MS },
  )
  return (
    <Panel>
      <h2 className="display mb-4 text-xl">Tracking Status</h2>
      {data ? (
        <TrackingDetails tracking={data} />
      ) : isLoading ? (
        <p role="status" className="flex items-center gap-2.5 text-ink-soft">
          <Spinner />
          Loading tracking information...
        </p>
      ) : error && !isStatus(error, 404) ? (
        <LoadError title="The carrier could not be asked" error={error} retry={() => void mutate()} />
      ) : (
        <NoTrackingYet lookedUp={lookedUp} />
      )}
    </Panel>
  )
}

function NoTrackingYet({ lookedUp }: { lookedUp: boolean }) {
  return (
    <>
      <p className="font-medium">No tracking information available yet.</p>
      <p className="mt-1 text-ink-soft">
        {lookedUp
          ? 'Tracking data may take a few minutes to appear.'
          : `Numbers of fewer than ${MIN_TRACKING_LOOKUP_LENGTH} characters are not looked up.`}
      </p>
    </>
  )
}

function TrackingDetails({ tracking }: { tracking: Tracking }) {
  const { trackingNumber, carrier, status, statusDescription, location, estimatedDelivery, lastUpdate } = tracking
  return (
    <div className="grid gap-5">
      {tracking.delivered && (
        <Notice tone="held" title="Package Delivered!">
          The transaction moves automatically to the inspection period.
        </Notice>
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TrackingBadge status={status} />
        <span className="font-medium">{statusDescription}</span>
      </p>
      <Facts
        facts={[
          { label: 'Tracking Number', value: <span className="figures">{trackingNumber}</span> },
          ...(carrier ? [{ label: 'Carrier', value: carrier }] : []),
          { label: 'Last updated', value: formatDateTime(new Date(lastUpdate)) },
          ...(location ? [{ label: 'Location', value: location }] : []),
          ...(estimatedDelivery
            ? [{ label: 'Estimated delivery', value: formatDate(new Date(estimatedDelivery)) }]
            : []),
        ]}
      />
    </div>
  )
}

const STATUS_WORDS: Record<TrackingStatus, string> = {
  pre_transit: 'Label created',
  shipped: 'Shipped',
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
  exception: 'Exception',
}
const STATUS_TONES: Record<TrackingStatus, BadgeTone> = {
  pre_transit: 'neutral',
  shipped: 'neutral',
  in_transit: 'needs',
  out_for_delivery: 'needs',
  delivered: 'held',
  exception: 'trouble',
}

function TrackingBadge({ status }: { status: TrackingStatus }) {
  return <Badge tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Badge>
}
