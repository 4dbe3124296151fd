import { routes } from 'virtual:routes'
import { pages, readId } from '@holdfast/contracts/pages'
import { displayAmount } from '@holdfast/kernel/money'
import type { RefundStatus } from '@holdfast/kernel/payments'
import { useState } from 'react'
import { type BadgeLooks, StatusBadge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { Money } from '../../components/money.js'
import { Notice } from '../../components/notice.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { useCall } from '../../lib/use-call.js'
import { LoadingList } from './loading-list.js'
import { ActForm } from './shared/act-form.js'
import { ConsoleFrame } from './shared/console-frame.js'
import { ConsoleList } from './shared/console-list.js'
import { SubjectLink } from './subject-link.js'
import { useAct } from './use-act.js'
import { askedWords } from './words.js'

const LOOKS: Readonly<Record<RefundStatus, BadgeLooks>> = {
  due: { label: 'Waits to be sent' },
  sent: { label: 'Sent' },
  confirmed: { tone: 'held', label: 'Confirmed' },
  failed: { tone: 'trouble', label: 'Failed' },
  void: { label: 'Void' },
}

type Refund = NonNullable<ReturnType<typeof useUnfinishedRefunds>['data']>[number]
const useUnfinishedRefunds = () => useCall(routes.listUnfinishedRefunds, {})

/** Refunds that have not reached their buyers, and the refund of a deal by an operator. */
export function Refunds() {
  const query = useUnfinishedRefunds()
  const [opened, open] = useState<Refund | null>(null)
  const [forcing, setForcing] = useState(false)
  return (
    <ConsoleFrame
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
              { label: 'Transaction', cell: ({ transactionId }) => transactionId },
              { label: 'Amount', cell: item => <Money {...item} />, align: 'right' },
              { label: 'State', cell: ({ status }) => <StatusBadge status={status} looks={LOOKS[status]} /> },
              { label: 'Attempts', cell: ({ attempts }) => attempts, align: 'right', wide: true },
              { label: 'Last error', cell: ({ lastError }) => lastError ?? 'None', wide: true },
              { label: 'Changed', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />, wide: true },
            ]}
          />
        )}
      </QueryState>
      <Dialog
        open={opened !== null}
        onOpenChange={() => open(null)}
        title={opened ? `Refund of transaction ${opened.transactionId}` : ''}
      >
        {opened && <SendAgain refund={opened} onDone={() => open(null)} />}
      </Dialog>
      <Dialog
        open={forcing}
        onOpenChange={setForcing}
        title="Refund a deal"
        description="Everything that the deal holds goes back to its buyer, and the deal is cancelled. A dispute about it ends."
      >
        <ForceRefund onDone={() => setForcing(false)} />
      </Dialog>
    </ConsoleFrame>
  )
}

function SendAgain({ refund, onDone }: { refund: Refund; onDone: () => void }) {
  const { id, transactionId, amount, currency, status, lastError } = refund
  const { send, busy } = useAct(routes.sendRefundAgain, {
    whether: 'the refund is sent again',
    done: () => ['It is sent again', 'The provider gets it as a new refund.'],
    onDone,
  })
  const money = displayAmount(amount, currency)
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        <SubjectLink subject={`transaction:${transactionId}`} /> · {money}
      </p>
      {status === 'failed' ? (
        <ActForm
          now={`Failed${lastError ? `: ${lastError}` : ''}. We owe the buyer ${money}.`}
          then={`Sent to the provider as a new refund of ${money}.`}
          label="Send again"
          busy={busy}
          send={reason => send({ params: { id }, body: { reason } })}
        />
      ) : (
        <Notice title={LOOKS[status].label ?? status}>
          It goes on by itself: the provider is asked until it is confirmed or has failed.
          {lastError && ` Last error: ${lastError}`}
        </Notice>
      )}
    </div>
  )
}

function ForceRefund({ onDone }: { onDone: () => void }) {
  const [number, setNumber] = useState('')
  const [fault, setFault] = useState<string>()
  const { send, busy } = useAct(routes.forceRefund, {
    whether: 'the deal was refunded',
    done: answer => askedWords(answer, 'The deal is cancelled, and the refund is sent.'),
    onDone,
  })
  return (
    <ActForm
      now="The deal holds the buyer’s money."
      then="The deal is cancelled and holds nothing. Above the limit a second admin must approve it first."
      label="Refund in full"
      takesAway
      busy={busy}
      send={async reason => {
        const id = readId(number.trim())
        setFault(id === null ? 'Enter the number of a transaction.' : undefined)
        return id === null ? undefined : send({ params: { id: String(id) }, body: { reason } })
      }}
    >
      <Field label="Transaction" error={fault}>
        <Input inputMode="numeric" value={number} onChange={event => setNumber(event.target.value)} />
      </Field>
    </ActForm>
  )
}
