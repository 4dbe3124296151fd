import { adminRoutes } from 'virtual:admin-routes'
import type { AdminPayout } from '@holdfast/contracts/admin-escrow'
import { pages } from '@holdfast/contracts/pages'
import { useState } from 'react'
import { StatusBadge } from '../../components/badge.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { Money } from '../../components/money.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { useCall } from '../../lib/use-call.js'
import { LoadingList } from './loading-list.js'
import { KnownNames, NameOf, shortId } from './names.js'
import { ConsoleList } from './shared/console-list.js'
import { ConsolePage } from './shared/console-page.js'
import { payoutLooks } from './words.js'

const PayoutDialog = dialogOnDemand(() => import('./acts/payout-dialog.js'))

/** Payouts that have not arrived. */
export default function PayoutsPage() {
  const query = useCall(adminRoutes.listOpenPayouts, {})
  const [opened, open] = useState<AdminPayout | null>(null)
  return (
    <ConsolePage
      page={pages.adminPayouts}
      lead="Payouts that have not arrived. The runbook is docs/runbooks/returned-payouts.md."
    >
      <QueryState
        query={query}
        errorTitle="The payouts could not be loaded"
        loading={<LoadingList label="Loading payouts" />}
      >
        {items => (
          <KnownNames ids={items.map(({ sellerId }) => sellerId)}>
            <ConsoleList
              caption="Payouts that have not arrived"
              items={items}
              keyOf={({ id }) => id}
              open={open}
              empty="Every payout has arrived, or was paid out again."
              columns={[
                { label: 'Seller', cell: ({ sellerId }) => <NameOf id={sellerId} /> },
                { label: 'Amount', cell: item => <Money {...item} />, align: 'right' },
                {
                  label: 'State',
                  cell: payout => <StatusBadge status={payout.status} looks={payoutLooks(payout)} />,
                },
                { label: 'Why', cell: ({ failure, lastError }) => failure ?? lastError ?? '' },
                {
                  label: 'Changed',
                  cell: ({ updatedAt }) => <RelativeTime at={updatedAt} className="whitespace-nowrap" />,
                },
                {
                  label: 'Payout',
                  cell: ({ id }) => (
                    <span title={id} className="whitespace-nowrap">
                      {shortId(id)}
                    </span>
                  ),
                },
              ]}
            />
          </KnownNames>
        )}
      </QueryState>
      <PayoutDialog open={opened !== null} close={() => open(null)} payout={opened} />
    </ConsolePage>
  )
}
