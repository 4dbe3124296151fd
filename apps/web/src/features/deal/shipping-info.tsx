import type { Transaction } from '@holdfast/contracts/transactions'
import { Facts } from '../../components/facts.js'
import { formatDate } from '../../lib/time.js'
import { TrackingNumber } from '../shipping/shared/tracking-number.js'

/** How the item travels; nothing while neither a number nor a date is known. */
export function ShippingInfo({ deal }: { deal: Transaction }) {
  const { trackingNumber, carrier, expectedDelivery } = deal
  if (!trackingNumber && !expectedDelivery) return null
  const facts = [
    trackingNumber && { label: 'Tracking Number', value: <TrackingNumber number={trackingNumber} /> },
    carrier && { label: 'Carrier', value: carrier },
    expectedDelivery && { label: 'Expected Delivery', value: formatDate(new Date(expectedDelivery)) },
  ].filter(fact => fact !== null && fact !== '')
  return (
    <section aria-labelledby="shipping">
      <h2 id="shipping" className="mb-3 font-semibold">
        Shipping Information
      </h2>
      <Facts facts={facts} />
    </section>
  )
}
