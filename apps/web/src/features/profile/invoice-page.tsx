import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import type { Invoice } from '@holdfast/contracts/subscriptions'
import { displayAmount, isZero } from '@holdfast/kernel/money'
import { useSearchParams } from 'react-router-dom'
import { Button, ButtonLink } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { PageMessage } from '../../components/page-message.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'

/** An invoice of Premium, to print. */
export default function InvoicePage() {
  const [params] = useSearchParams()
  const query = useCall(routes.listInvoices, {})
  return (
    <QueryState
      query={query}
      page
      errorTitle="The invoice could not be loaded"
      loading={
        <div className="page">
          <Loading label="Loading the invoice">
            <Skeleton className="h-96 rounded-lg" />
          </Loading>
        </div>
      }
    >
      {invoices => {
        const invoice = invoices.find(({ id }) => id === params.get('id'))
        return invoice ? <Shown invoice={invoice} /> : <Missing />
      }}
    </QueryState>
  )
}

function Missing() {
  return (
    <>
      <PageHead page={pages.invoice} />
      <PageMessage title="Invoice not found" actions={<ButtonLink to={paths.payouts}>Your Plan</ButtonLink>}>
        It is not among your newest invoices.
      </PageMessage>
    </>
  )
}

const WORDS: Record<Invoice['status'], string> = {
  open: 'To be paid',
  paid: 'Paid',
  void: 'Void: nothing is to be paid',
}

function Shown({ invoice }: { invoice: Invoice }) {
  const user = useSignedInUser()
  const { number, status, amount, currency, interval, createdAt, paidAt, periodStartsAt, periodEndsAt, returned } =
    invoice
  const total = displayAmount(amount, currency)
  return (
    <div className="page max-w-3xl print:max-w-none">
      <PageHead page={pages.invoice} />
      <div className="print:hidden">
        <PageHeader
          title="Invoice"
          back={{ to: paths.payouts, label: 'Back to Payments' }}
          actions={<Button onClick={() => window.print()}>Print</Button>}
        />
      </div>
      <h2 className="display mb-4 text-xl">Holdfast Premium</h2>
      <Facts
        facts={[
          { label: 'Invoice number', value: <span className="figures break-all">{number}</span> },
          { label: 'Date', value: formatDate(new Date(createdAt)) },
          { label: 'For', value: `${user.firstName} ${user.lastName}, ${user.email}` },
          { label: 'Period', value: `${formatDate(new Date(periodStartsAt))} – ${formatDate(new Date(periodEndsAt))}` },
          { label: 'Plan', value: `Premium, by the ${interval}` },
          { label: 'Total', value: <span className="figures text-lg font-semibold">{total}</span> },
          { label: 'Status', value: paidAt ? `Paid on ${formatDate(new Date(paidAt))}` : WORDS[status] },
          ...(isZero(returned) ? [] : [{ label: 'Went back to you', value: displayAmount(returned, currency) }]),
        ]}
      />
    </div>
  )
}
