import { MIN_TRACKING_LOOKUP_LENGTH } from '@holdfast/kernel/tracking'
import { Facts } from '../../components/facts.js'
import { LoadError } from '../../components/load-error.js'
import { Notice } from '../../components/notice.js'
import { Panel } from '../../components/panel.js'
import { Spinner } from '../../components/spinner.js'
import { formatDate, formatDateTime } from '../../lib/time.js'
import { TrackingNumber } from './shared/tracking-number.js'
import { trackingSentence } from './tracking.view.js'
import { TrackingBadge } from './tracking-badge.js'
import { type Tracking, useTracking } from './use-tracking.js'

/** Where the parcel is, as the carrier says. */
export function TrackingStatusCard({ trackingNumber }: { trackingNumber: string }) {
  return (
    <Panel>
      <h2 className="display mb-4 text-xl">Tracking Status</h2>
      <TrackingState trackingNumber={trackingNumber} />
    </Panel>
  )
}

function TrackingState({ trackingNumber }: { trackingNumber: string }) {
  const { data, error, isLoading, mutate, lookedUp } = useTracking(trackingNumber)
  if (data) return <TrackingDetails tracking={data} />
  if (isLoading) {
    return (
      <p role="status" className="flex items-center gap-2.5 text-ink-soft">
        <Spinner />
        Loading tracking information...
      </p>
    )
  }
  if (error) return <LoadError title="The carrier could not be asked" error={error} retry={() => void mutate()} />
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
  const { trackingNumber, carrier, status, location, estimatedDelivery, lastUpdate } = tracking
  const sentence = trackingSentence(tracking)
  return (
    <div className="grid gap-5">
      {tracking.delivered && (
        <Notice title="Package Delivered!">The transaction moves automatically to the inspection period.</Notice>
      )}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TrackingBadge status={status} />
        {sentence && <span className="font-medium">{sentence}</span>}
      </p>
      <Facts
        facts={[
          { label: 'Tracking Number', value: <TrackingNumber number={trackingNumber} /> },
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
