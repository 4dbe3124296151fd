import { adminRoutes } from 'virtual:admin-routes'
import type { EventForOperator } from '@holdfast/contracts/admin-events'
import { PROVIDER_EVENT_RUNBOOKS } from '@holdfast/kernel/admin'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.js'
import { Segmented } from '../../../components/segmented.js'
import { formatDateTime } from '../../../lib/time.js'
import { FactsList } from '../facts-list.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'
import { PROVIDER_EVENT_WORDS } from '../words.js'

interface ProviderEventDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  event: EventForOperator | null
  /** The shown events of its type, itself among them. */
  alike: readonly EventForOperator[]
}

/** An event of the provider after which an operator must act, and the mark that they have, also for all shown of its type. */
export default function ProviderEventDialog({ open, close, event, alike }: ProviderEventDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title="Event of the provider">
      {event && <MarkAsDone event={event} alike={alike} onDone={close} />}
    </Dialog>
  )
}

interface MarkAsDoneProps extends Pick<ProviderEventDialogProps, 'alike'> {
  event: EventForOperator
  onDone: () => void
}

function MarkAsDone({ event, alike, onDone }: MarkAsDoneProps) {
  const { id, why, about, transactionId, at } = event
  const [scope, setScope] = useState<'one' | 'alike'>('one')
  const one = useAct(adminRoutes.markProviderEventDone, {
    whether: 'the event is marked as done',
    done: () => ['Marked as done', 'Your reason is in the audit log.'],
    onDone,
  })
  const several = useAct(adminRoutes.markProviderEventsDone, {
    whether: 'the events are marked as done',
    done: ({ marked }) => [`Marked as done: ${marked}`, 'Your reason is in the audit log.'],
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
        then={`${scope === 'one' ? 'It leaves this list.' : `All ${alike.length} shown events of its type leave this list.`} This books no money.`}
        label="Mark as done"
        busy={one.busy || several.busy}
        hint="Say what you did. It is kept in the audit log."
        send={reason =>
          scope === 'one'
            ? one.send({ params: { id }, body: { reason } })
            : several.send({ body: { why, ids: alike.map(each => each.id), reason } })
        }
      >
        {alike.length > 1 && (
          <Segmented
            legend="What to mark"
            options={[
              { value: 'one', label: 'This one' },
              { value: 'alike', label: 'All of its type' },
            ]}
            value={scope}
            onChange={setScope}
          />
        )}
      </ActForm>
    </div>
  )
}
