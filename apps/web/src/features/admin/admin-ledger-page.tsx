import { adminRoutes } from 'virtual:admin-routes'
import { pages } from '@holdfast/contracts/pages'
import type { Output } from '@holdfast/contracts/route'
import type { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { formatAmount, parseAmount } from '@holdfast/kernel/money'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { Badge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { Money } from '../../components/money.js'
import { QueryState } from '../../components/query-state.js'
import { paths } from '../../lib/paths.js'
import { useCall } from '../../lib/use-call.js'
import { LoadingList } from './loading-list.js'
import { SearchBox } from './search-box.js'
import { ConsoleList } from './shared/console-list.js'
import { ConsolePage } from './shared/console-page.js'
import { Statement } from './statement.js'

const AdjustmentDialog = dialogOnDemand(() => import('./acts/adjustment-dialog.js'))

/** The trial balance, the accounts of a search, and the statement of one account. */
export default function LedgerPage() {
  const [params] = useSearchParams()
  const account = params.get('account')
  const q = params.get('q')
  const [adjusting, setAdjusting] = useState(false)
  return (
    <ConsolePage
      page={pages.adminLedger}
      lead="Every account, to the cent. A balance is credits less debits."
      actions={
        <Button kind="quiet" size="sm" onClick={() => setAdjusting(true)}>
          Adjust
        </Button>
      }
    >
      <SearchBox
        label="Find accounts"
        hint="By the id of a transaction, user or payment, or by an account’s name."
        page={paths.adminLedger}
      />
      {account ? (
        <Statement account={account} />
      ) : (
        <>
          {!q && <TrialBalance />}
          <Accounts q={q} />
        </>
      )}
      <AdjustmentDialog open={adjusting} close={() => setAdjusting(false)} />
    </ConsolePage>
  )
}

function TrialBalance() {
  const query = useCall(adminRoutes.getTrialBalance, {})
  return (
    <QueryState
      query={query}
      errorTitle="The trial balance could not be loaded"
      loading={<LoadingList label="Loading the trial balance" />}
    >
      {currencies =>
        currencies.map(each => {
          const { currency, total, heldByDeals, accounts } = each
          const hold = accounts.find(({ kind }) => kind === 'hold')?.balance ?? heldByDeals
          const isRight = Number(total) === 0 && hold === heldByDeals
          return (
            <section key={currency} className="mb-8">
              <h2 className="mb-2 flex flex-wrap items-center gap-3 font-semibold">
                Trial balance, {currency}
                <Badge tone={isRight ? 'held' : 'trouble'}>
                  {isRight ? 'It fits what the deals hold' : 'It differs from what the deals hold: an incident'}
                </Badge>
              </h2>
              <ConsoleList
                caption={`Trial balance in ${currency}`}
                items={[...accounts, totalOf(each)]}
                keyOf={({ kind }) => kind}
                empty="Nothing was posted yet."
                columns={[
                  { label: 'Kind of account', cell: ({ kind }) => kind },
                  {
                    label: 'Debits',
                    cell: ({ debits }) => <Money amount={debits} currency={currency} />,
                    align: 'right',
                  },
                  {
                    label: 'Credits',
                    cell: ({ credits }) => <Money amount={credits} currency={currency} />,
                    align: 'right',
                  },
                  {
                    label: 'Balance',
                    cell: ({ balance }) => <Money amount={balance} currency={currency} />,
                    align: 'right',
                  },
                ]}
              />
            </section>
          )
        })
      }
    </QueryState>
  )
}

type TrialBalanceOf = Output<typeof transactionRoutes.getTrialBalance>[number]

/** The last row of a trial balance: its debits and credits must be equal. `total` is the sum of the balances. */
function totalOf({ currency, total, accounts }: TrialBalanceOf) {
  const sum = (column: 'debits' | 'credits') =>
    formatAmount(
      accounts.reduce((all, each) => all + parseAmount(each[column], currency), 0n),
      currency,
    )
  return { kind: 'Total', debits: sum('debits'), credits: sum('credits'), balance: total }
}

function Accounts({ q }: { q: string | null }) {
  const query = useCall(adminRoutes.listAccounts, { query: q ? { q } : {} })
  const navigate = useNavigate()
  return (
    <section>
      <h2 className="mb-2 font-semibold">{q ? `Accounts found for “${q}”` : 'The product’s own accounts'}</h2>
      <QueryState
        query={query}
        errorTitle="The accounts could not be loaded"
        loading={<LoadingList label="Loading accounts" />}
      >
        {items => (
          <ConsoleList
            caption="Accounts"
            items={items}
            keyOf={({ account, currency }) => `${account} ${currency}`}
            open={({ account }) => navigate(paths.adminAccount(account))}
            empty={q ? 'No account has to do with it.' : 'Nothing was posted yet.'}
            columns={[
              { label: 'Account', cell: ({ account }) => <span className="[overflow-wrap:anywhere]">{account}</span> },
              {
                label: 'Debits',
                cell: item => <Money amount={item.debits} currency={item.currency} />,
                align: 'right',
              },
              {
                label: 'Credits',
                cell: item => <Money amount={item.credits} currency={item.currency} />,
                align: 'right',
              },
              {
                label: 'Balance',
                cell: item => <Money amount={item.balance} currency={item.currency} />,
                align: 'right',
              },
            ]}
          />
        )}
      </QueryState>
    </section>
  )
}
