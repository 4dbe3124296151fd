import { pages } from '@holdfast/contracts/pages'
import type { Transaction } from '@holdfast/contracts/transactions'
import { inspectionTerm, RETURN_POLICY_LABELS } from '@holdfast/kernel/listings'
import { humanCase } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Money } from '../../components/money.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { nameAndUsername } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { formatDateTime } from '../../lib/time.js'
import CryptoOfDeal from '../payment/shared/crypto-of-deal.js'
import { PaymentHistory } from '../receipts/shared/payment-history.js'
import LedgerSection from './ledger-section.js'
import { titleOf } from './shared/deal.js'
import { DEAL_NOT_FOUND, DealGate } from './shared/deal-gate.js'
import { SummarySection } from './summary-section.js'

/** Everything about a deal on paper: what was agreed, between whom, what happened, and where the money went. */
export default function StatementPage() {
  return (
    <DealGate
      page={pages.statement}
      title={deal => `Statement of transaction #${deal.id}`}
      errorTitle="The transaction could not be loaded"
      notFound={DEAL_NOT_FOUND}
      loading={
        <Loading label="Loading transaction" page>
          <Skeleton className="h-96 w-full" />
        </Loading>
      }
    >
      {deal => <Statement deal={deal} />}
    </DealGate>
  )
}

function Statement({ deal }: { deal: Transaction }) {
  return (
    <div className="page max-w-3xl print:max-w-none">
      <div className="print:hidden">
        <PageHeader
          title="Statement"
          back={{ to: paths.transaction(deal.id), label: 'Back to Transaction' }}
          actions={<Button onClick={() => window.print()}>Print</Button>}
        />
      </div>
      <div className="grid gap-8 print:gap-6">
        <section aria-labelledby="statement">
          <h2 id="statement" className="display mb-3 text-xl">
            Holdfast: transaction #{deal.id}, {titleOf(deal)}
          </h2>
          <Facts
            facts={[
              { label: 'Status', value: humanCase(deal.status) },
              { label: 'Buyer', value: nameAndUsername(deal.buyer) },
              { label: 'Seller', value: nameAndUsername(deal.seller) },
              { label: 'As of', value: formatDateTime(new Date()) },
            ]}
          />
        </section>
        <Terms deal={deal} />
        <Steps deal={deal} />
        <SummarySection deal={deal} />
        <LedgerSection transactionId={deal.id} secured={deal.status === 'secured'}>
          {deal.viewerRole === 'buyer' && deal.status !== 'pending' && <CryptoOfDeal transactionId={deal.id} />}
        </LedgerSection>
        {deal.viewerRole === 'buyer' && <Receipts transactionId={deal.id} />}
      </div>
    </div>
  )
}

/** The ways to the receipts of the payments. The seller did not pay, and is shown none. */
function Receipts({ transactionId }: { transactionId: number }) {
  return (
    <section aria-labelledby="receipts" className="print:hidden">
      <h2 id="receipts" className="mb-3 font-semibold">
        Receipts
      </h2>
      <PaymentHistory
        transactionId={transactionId}
        empty={<p className="text-ink-soft">There is a receipt as soon as you have paid.</p>}
      />
    </section>
  )
}

/** What was agreed when the deal opened. Later changes of the listing are not in it. */
function Terms({ deal: { listing, currency } }: { deal: Transaction }) {
  return (
    <section aria-labelledby="agreed">
      <h2 id="agreed" className="mb-3 font-semibold">
        What was agreed
      </h2>
      <Facts
        facts={[
          { label: 'Price', value: <Money amount={listing.price} currency={currency} /> },
          { label: 'Category', value: listing.category || 'General' },
          { label: 'Condition', value: listing.condition || 'Not specified' },
          { label: 'Inspection', value: inspectionTerm(listing.inspectionPeriod) },
          { label: 'Returns', value: RETURN_POLICY_LABELS[listing.returnPolicy] },
        ]}
      />
      <p className="mt-3 max-w-text text-sm typed">{listing.description}</p>
    </section>
  )
}

function Steps({ deal: { reached } }: { deal: Transaction }) {
  return (
    <section aria-labelledby="steps">
      <h2 id="steps" className="mb-3 font-semibold">
        What happened
      </h2>
      <Facts
        facts={reached.map(({ status, at }) => ({
          label: humanCase(status),
          value: <time dateTime={at}>{formatDateTime(new Date(at))}</time>,
        }))}
      />
    </section>
  )
}
