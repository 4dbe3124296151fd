import { adminRoutes } from 'virtual:admin-routes'
import type { EventForOperator } from '@holdfast/contracts/admin-escrow'
import { PROVIDER_EVENT_RUNBOOKS } from '@holdfast/kernel/admin'
import { Dialog } from '../../../components/dialog.js'
import { formatDateTime } from '../../../lib/time.js'
import { FactsList } from '../facts-list.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'
import { PROVIDER_EVENT_WORDS } from '../words.js'

export interface ProviderEventDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  event: EventForOperator | null
}

/** An event of the provider after which an operator must act, and the mark that they have. */
export function ProviderEventDialog({ open, close, event }: ProviderEventDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title="Event of the provider">
      {event && <MarkAsDone event={event} onDone={close} />}
    </Dialog>
  )
}

function MarkAsDone({ event, onDone }: { event: EventForOperator; onDone: () => void }) {
  const { id, why, about, transactionId, at } = event
  const { send, busy } = useAct(adminRoutes.markProviderEventDone, {
    whether: 'the event is marked as done',
    done: () => ['Marked as done', 'Your reason is in the audit log.'],
    onDone,
  })
  return (
    <div className="grid gap-5">
      <FactsList
        title={PROVIDER_EVENT_WORDS[why]}
        facts={{
          about,
          ...(why === 'unfitting' && { eventId: id }),
          when: formatDateTime(new Date(at)),
          ...(transactionId !== null && { transactionId }),
          runbook: `docs/runbooks/${PROVIDER_EVENT_RUNBOOKS[why]}`,
        }}
      />
      <ActForm
        now="It waits for an operator. Do first what the runbook says."
        then="It leaves this list. This books no money."
        label="Mark as done"
        busy={busy}
        hint="Say what you did. It is kept in the audit log."
        send={reason => send({ params: { id }, body: { reason } })}
      />
    </div>
  )
}
