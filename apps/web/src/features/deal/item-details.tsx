import type { Transaction } from '@holdfast/contracts/transactions'
import { inspectionTerm, RETURN_POLICY_LABELS } from '@holdfast/kernel/listings'
import { Facts } from '../../components/facts.js'
import { Gallery } from '../../components/gallery.js'
import { TextLink } from '../../components/link.js'
import { Money } from '../../components/money.js'
import { paths } from '../../lib/paths.js'
import { titleOf } from './shared/deal.js'

/** As wide as the page, or half of the width beside the panels. */
const PICTURE_SIZES = '(min-width: 48rem) 21rem, calc(100vw - 2rem)'

/** What was sold, as it stood when the deal opened: later edits of the listing change nothing here. */
export default function ItemDetails({ deal }: { deal: Transaction }) {
  const { listing, currency } = deal
  return (
    <section aria-labelledby="item">
      <h2 id="item" className="display mb-4 text-xl">
        Item Details
      </h2>
      <div className="grid items-start gap-6 md:grid-cols-2 md:gap-8">
        <Gallery images={listing.images} title={titleOf(deal)} sizes={PICTURE_SIZES} />
        <Facts
          facts={[
            { label: 'Listed price', value: <Money amount={listing.price} currency={currency} /> },
            { label: 'Category', value: listing.category || 'General' },
            { label: 'Condition', value: listing.condition || 'Not specified' },
            { label: 'Location', value: listing.location || 'Not specified' },
            { label: 'Inspection', value: inspectionTerm(listing.inspectionPeriod) },
            { label: 'Returns', value: RETURN_POLICY_LABELS[listing.returnPolicy] },
          ]}
        />
      </div>
      <p className="mt-6 max-w-text typed">{listing.description}</p>
      <p className="mt-3 text-sm text-ink-soft">
        This is what was agreed when the transaction opened.{' '}
        <TextLink to={paths.listing(listing.id)}>See the listing as it is now</TextLink>
      </p>
    </section>
  )
}
