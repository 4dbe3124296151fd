import { adminRoutes } from 'virtual:admin-routes'
import type { Approval } from '@holdfast/contracts/admin-escrow'
import { TOO_NEW_TEXTS } from '@holdfast/kernel/admin'
import { displayAmount } from '@holdfast/kernel/money'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.js'
import { Notice } from '../../../components/notice.js'
import { Segmented } from '../../../components/segmented.js'
import { useSignedInUser } from '../../../lib/current-user.js'
import { formatDateTime } from '../../../lib/time.js'
import { useCall } from '../../../lib/use-call.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { FactsList } from '../facts-list.js'
import { KnownNames, UserName } from '../names.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'
import { APPROVAL_LOOKS, GUARDED_WORDS } from '../words.js'
import { AdjustmentPreview, type Entry, usePreview } from './adjustment-preview.js'

interface RequestDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  request: Approval | null
}

/** What an admin asked for, and the decision of another one. */
export default function RequestDialog({ open, close, request }: RequestDialogProps) {
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
  const { id, kind, amount, currency, input, reason, askedBy, askedAt, state, decidedBy, decisionReason } = request
  const { currency: _, ...asked } = input
  const isOwn = useSignedInUser().id === askedBy
  const mayNot = useMayNotApprove(request)
  const [chosen, decide] = useState<'approve' | 'reject'>('approve')
  const decision = mayNot ? 'reject' : chosen
  const { send, busy, confirmed } = useAct(adminRoutes.decideApproval, {
    whether: 'the request was decided',
    done: ({ state }) => [state === 'approved' ? 'Approved and done' : isOwn ? 'Taken back' : 'Rejected'],
    onDone,
  })
  return (
    <KnownNames ids={[askedBy, ...(decidedBy ? [decidedBy] : [])]}>
      <div className="grid gap-5">
        <ConfirmOnDemand confirmed={confirmed} />
        <p className="text-sm">
          Asked for by <UserName id={askedBy} />, {formatDateTime(new Date(askedAt))}
        </p>
        <FactsList
          title={`Asked for, with the reason “${reason}”`}
          facts={{ ...asked, amount: displayAmount(amount, currency) }}
        />
        {state === 'waiting' && kind === 'ledger.adjust' && (
          <Balances entry={{ debit: String(input.debit), credit: String(input.credit), amount }} />
        )}
        {state !== 'waiting' && (
          <Notice title={APPROVAL_LOOKS[state].label ?? state}>
            {decidedBy && (
              <>
                By <UserName id={decidedBy} />: {decisionReason}
              </>
            )}
          </Notice>
        )}
        {state === 'waiting' && (
          <ActForm
            now="It waits. Nothing is done yet."
            then={
              decision === 'approve'
                ? `Done at once: ${GUARDED_WORDS[kind].toLowerCase()}, ${displayAmount(amount, currency)}.`
                : `It is ${isOwn ? 'taken back' : 'rejected'}, and nothing is done.`
            }
            label={decision === 'approve' ? 'Approve and do it' : isOwn ? 'Take it back' : 'Reject'}
            takesAway={decision === 'reject'}
            busy={busy}
            send={reason => send({ params: { id }, body: { decision, reason } })}
          >
            {mayNot ? (
              <Notice tone="needs">{mayNot}</Notice>
            ) : (
              <Segmented legend="Decision" options={DECISIONS} value={decision} onChange={decide} />
            )}
          </ActForm>
        )}
      </div>
    </KnownNames>
  )
}

/** Both accounts of an adjustment as they are now, and as they would be after it. */
function Balances({ entry }: { entry: Entry }) {
  const preview = usePreview(entry)
  const [fault] = Object.values(preview.faults)
  return <AdjustmentPreview preview={fault ? { ...preview, faults: {}, failure: fault } : preview} />
}

/** Why the signed-in admin cannot approve a request, in words; null when they can, and while it is not known. */
function useMayNotApprove({ askedBy }: Approval): string | null {
  const { id } = useSignedInUser()
  const { data: admins } = useCall(adminRoutes.listUsers, { query: { role: 'admin', limit: MAX_PAGE_SIZE } })
  const now = Date.now()
  if (id === askedBy) return 'You asked for this yourself: another admin must approve it.'
  const from = (who: string) => admins?.find(each => each.id === who)?.approvesFrom
  const [own, asker] = [from(id), from(askedBy)]
  if (own && Date.parse(own) > now)
    return `${TOO_NEW_TEXTS.approver} You can approve from ${formatDateTime(new Date(own))}.`
  return asker && Date.parse(asker) > now ? TOO_NEW_TEXTS.asker : null
}
