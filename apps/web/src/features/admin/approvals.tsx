import { routes } from 'virtual:routes'
import type { Approval } from '@holdfast/contracts/admin-escrow'
import { pages } from '@holdfast/contracts/pages'
import { useState } from 'react'
import { StatusBadge } from '../../components/badge.js'
import { Dialog } from '../../components/dialog.js'
import { Money } from '../../components/money.js'
import { Notice } from '../../components/notice.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { Segmented } from '../../components/segmented.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { useCall } from '../../lib/use-call.js'
import { AdminName } from './admin-name.js'
import { FactsList } from './facts-list.js'
import { LoadingList } from './loading-list.js'
import { ActForm } from './shared/act-form.js'
import { ConsoleFrame } from './shared/console-frame.js'
import { ConsoleList } from './shared/console-list.js'
import { SubjectLink } from './subject-link.js'
import { useAct } from './use-act.js'
import { APPROVAL_LOOKS, GUARDED_WORDS } from './words.js'

const STATES = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'all', label: 'All' },
] as const

/** What admins asked for that needs a second one. */
export function Approvals() {
  const [shown, setShown] = useState<'waiting' | 'all'>('waiting')
  const [opened, open] = useState<Approval | null>(null)
  const query = useCall(routes.listApprovals, { query: shown === 'waiting' ? { state: 'waiting' } : {} })
  return (
    <ConsoleFrame
      page={pages.adminApprovals}
      lead="Acts above the limit are done when a second admin approves them."
      actions={<Segmented legend="Which" hideLegend options={STATES} value={shown} onChange={setShown} />}
    >
      <QueryState
        query={query}
        errorTitle="The requests could not be loaded"
        loading={<LoadingList label="Loading requests" />}
      >
        {items => (
          <ConsoleList
            caption="Requests"
            items={items}
            keyOf={({ id }) => id}
            open={open}
            empty={shown === 'waiting' ? 'Nothing waits for a second admin.' : 'Nothing was asked for yet.'}
            columns={[
              { label: 'What', cell: ({ kind }) => GUARDED_WORDS[kind] },
              { label: 'On', cell: ({ subject }) => <SubjectLink subject={subject} />, wide: true },
              { label: 'Amount', cell: item => <Money {...item} />, align: 'right' },
              { label: 'Asked by', cell: ({ askedBy }) => <AdminName id={askedBy} />, wide: true },
              { label: 'Asked', cell: ({ askedAt }) => <RelativeTime at={askedAt} />, wide: true },
              { label: 'State', cell: ({ state }) => <StatusBadge status={state} looks={APPROVAL_LOOKS[state]} /> },
            ]}
          />
        )}
      </QueryState>
      <Dialog
        open={opened !== null}
        onOpenChange={() => open(null)}
        title={opened ? GUARDED_WORDS[opened.kind] : ''}
        wide
      >
        {opened && <Request request={opened} onDone={() => open(null)} />}
      </Dialog>
    </ConsoleFrame>
  )
}

const DECISIONS = [
  { value: 'approve', label: 'Approve' },
  { value: 'reject', label: 'Reject' },
] as const

function Request({ request, onDone }: { request: Approval; onDone: () => void }) {
  const { id, kind, amount, currency, input, reason, askedBy, state, decidedBy, decisionReason } = request
  const isOwn = useSignedInUser().id === askedBy
  const [decision, decide] = useState<'approve' | 'reject'>(isOwn ? 'reject' : 'approve')
  const { send, busy } = useAct(routes.decideApproval, {
    whether: 'the request was decided',
    done: ({ state }) => [state === 'approved' ? 'Approved and done' : 'Rejected'],
    onDone,
  })
  return (
    <div className="grid gap-5">
      <FactsList
        title={`Asked for, with the reason “${reason}”`}
        facts={{ amount: `${amount} ${currency}`, ...input }}
      />
      {state !== 'waiting' && (
        <Notice title={APPROVAL_LOOKS[state].label ?? state}>
          {decidedBy && (
            <>
              By <AdminName id={decidedBy} />: {decisionReason}
            </>
          )}
        </Notice>
      )}
      {state === 'waiting' && (
        <ActForm
          now="It waits. Nothing is done yet."
          then={
            decision === 'approve'
              ? `Done at once: ${GUARDED_WORDS[kind].toLowerCase()}, ${amount} ${currency}.`
              : 'It is rejected, and nothing is done.'
          }
          label={decision === 'approve' ? 'Approve and do it' : 'Reject'}
          takesAway={decision === 'reject'}
          busy={busy}
          send={reason => send({ params: { id }, body: { decision, reason } })}
        >
          {isOwn ? (
            <Notice tone="needs">
              You asked for this yourself: another admin must approve it. You can take it back.
            </Notice>
          ) : (
            <Segmented legend="Decision" options={DECISIONS} value={decision} onChange={decide} />
          )}
        </ActForm>
      )}
    </div>
  )
}
