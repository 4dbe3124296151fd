import { routes } from 'virtual:routes'
import type { Approval } from '@holdfast/contracts/admin-escrow'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.js'
import { Notice } from '../../../components/notice.js'
import { Segmented } from '../../../components/segmented.js'
import { useSignedInUser } from '../../../lib/current-user.js'
import { AdminName } from '../admin-name.js'
import { FactsList } from '../facts-list.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'
import { APPROVAL_LOOKS, GUARDED_WORDS } from '../words.js'

export interface RequestDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  request: Approval | null
}

/** What an admin asked for, and the decision of another one. */
export function RequestDialog({ open, close, request }: RequestDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title={request ? GUARDED_WORDS[request.kind] : ''} wide>
      {request && <Request request={request} onDone={close} />}
    </Dialog>
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
    done: ({ state }) => [state === 'approved' ? 'Approved and done' : isOwn ? 'Taken back' : 'Rejected'],
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
              : `It is ${isOwn ? 'taken back' : 'rejected'}, and nothing is done.`
          }
          label={decision === 'approve' ? 'Approve and do it' : isOwn ? 'Take it back' : 'Reject'}
          takesAway={decision === 'reject'}
          busy={busy}
          send={reason => send({ params: { id }, body: { decision, reason } })}
        >
          {isOwn ? (
            <Notice tone="needs">You asked for this yourself: another admin must approve it.</Notice>
          ) : (
            <Segmented legend="Decision" options={DECISIONS} value={decision} onChange={decide} />
          )}
        </ActForm>
      )}
    </div>
  )
}
