import { adminRoutes } from 'virtual:admin-routes'
import { pages } from '@holdfast/contracts/pages'
import { refundError } from '@holdfast/kernel/refund-failures'
import { useState } from 'react'
import { StatusBadge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { Money } from '../../components/money.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { useCall } from '../../lib/use-call.js'
import type { Refund } from './acts/refund-dialog.js'
import { LoadingList } from './loading-list.js'
import { ConsoleList } from './shared/console-list.js'
import { ConsolePage } from './shared/console-page.js'
import { REFUND_LOOKS } from './words.js'

const RefundDialog = dialogOnDemand(() => import('./acts/refund-dialog.js'))
const ForceRefundDialog = dialogOnDemand(() => import('./acts/force-refund-dialog.js'))

/** Refunds that have not reached their buyers, and the refund of a deal by an operator. */
export default function RefundsPage() {
  const query = useCall(adminRoutes.listUnfinishedRefunds, {})
  const [opened, open] = useState<Refund | null>(null)
  const [forcing, setForcing] = useState(false)
  return (
    <ConsolePage
      page={pages.adminRefunds}
      lead="Refunds that have not reached their buyers. The runbook is docs/runbooks/refunds.md."
      actions={
        <Button kind="quiet" size="sm" onClick={() => setForcing(true)}>
          Refund a deal
        </Button>
      }
    >
      <QueryState
        query={query}
        errorTitle="The refunds could not be loaded"
        loading={<LoadingList label="Loading refunds" />}
      >
        {items => (
          <ConsoleList
            caption="Refunds on their way"
            items={items}
            keyOf={({ id }) => id}
            open={open}
            empty="Every refund has reached its buyer."
            columns={[
              { label: 'Refund of', cell: ({ transactionId }) => `Transaction ${transactionId}` },
              { label: 'Amount', cell: item => <Money {...item} />, align: 'right' },
              { label: 'State', cell: ({ status }) => <StatusBadge status={status} looks={REFUND_LOOKS[status]} /> },
              {
                label: 'Last error',
                cell: ({ lastError }) => (lastError ? refundError(lastError) : ''),
              },
              {
                label: 'Changed',
                cell: ({ updatedAt }) => <RelativeTime at={updatedAt} className="whitespace-nowrap" />,
              },
            ]}
          />
        )}
      </QueryState>
      <RefundDialog open={opened !== null} close={() => open(null)} refund={opened} />
      <ForceRefundDialog open={forcing} close={() => setForcing(false)} />
    </ConsolePage>
  )
}
