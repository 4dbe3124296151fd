import { adminRoutes } from 'virtual:admin-routes'
import { Link } from 'react-router-dom'
import { Money } from '../../components/money.js'
import { paths } from '../../lib/paths.js'
import { formatDateTime } from '../../lib/time.js'
import { usePages } from '../../lib/use-pages.js'
import { PagedList } from './paged-list.js'

/** The lines of one account, newest first, with the balance after each. */
export function Statement({ account }: { account: string }) {
  const list = usePages(adminRoutes.getStatement, { params: { account }, query: {} })
  return (
    <section className="grid gap-4">
      <h2 className="font-semibold [overflow-wrap:anywhere]">
        Statement of {account}
        <Link to={paths.adminLedger} className="link ml-3 text-sm font-normal">
          All accounts
        </Link>
      </h2>
      <PagedList
        caption={`Statement of ${account}`}
        list={list}
        loading="Loading the statement"
        errorTitle="The statement could not be loaded"
        moreErrorTitle="More lines could not be loaded"
        keyOf={({ position }) => String(position)}
        empty="Nothing was posted on this account in US dollars."
        columns={[
          { label: 'Entry', cell: ({ entry }) => entry.replaceAll('_', ' ') },
          {
            label: 'Transaction',
            cell: ({ transactionId }) =>
              transactionId === null ? (
                'None'
              ) : (
                <Link to={paths.adminLedgerSearch(String(transactionId))} className="link">
                  {transactionId}
                </Link>
              ),
          },
          {
            label: 'Other account',
            cell: ({ other }) => (
              <Link to={paths.adminAccount(other)} className="link [overflow-wrap:anywhere]">
                {other}
              </Link>
            ),
          },
          { label: 'When', cell: ({ at }) => formatDateTime(new Date(at)) },
          {
            label: 'Amount',
            cell: ({ side, amount, currency }) => (
              <>
                {side === 'debit' ? '− ' : '+ '}
                <Money amount={amount} currency={currency} />
              </>
            ),
            align: 'right',
          },
          {
            label: 'Balance',
            cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
            align: 'right',
          },
        ]}
      />
    </section>
  )
}
