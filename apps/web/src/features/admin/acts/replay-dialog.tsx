import { adminRoutes } from 'virtual:admin-routes'
import type { DeadLetter } from '@holdfast/contracts/admin-events'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.js'
import { Segmented } from '../../../components/segmented.js'
import { FactsList } from '../facts-list.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'

interface ReplayDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  letter: DeadLetter | null
}

/** A dead letter, and its replay or that of all of its type. */
export default function ReplayDialog({ open, close, letter }: ReplayDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title={`Dead letter ${letter?.id ?? ''}`} wide>
      {letter && <Replay letter={letter} onDone={close} />}
    </Dialog>
  )
}

const SCOPES = [
  { value: 'one', label: 'This one' },
  { value: 'type', label: 'All of its type' },
] as const

function Replay({ letter, onDone }: { letter: DeadLetter; onDone: () => void }) {
  const { id, type, group, error, key, topic, eventId, attempts, requestId, occurredAt } = letter
  const [scope, setScope] = useState<'one' | 'type'>('one')
  const words = {
    whether: 'the replay was asked for',
    done: ({ requested }: { requested: number }) => [`Replays asked for: ${requested}`] as const,
    onDone,
  }
  const one = useAct(adminRoutes.replayDeadLetter, words)
  const all = useAct(adminRoutes.replayDeadLetters, words)
  return (
    <div className="grid gap-5">
      <FactsList title={`${type} in ${group}`} facts={{ topic, key, eventId, occurredAt, attempts, requestId }} />
      <div className="min-w-0">
        <h3 id="dead-letter-error" className="text-xs font-semibold text-ink-soft">
          Error
        </h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long error is scrolled, also by the keyboard */}
        <section aria-labelledby="dead-letter-error" tabIndex={0} className="max-h-40 overflow-y-auto typed text-sm">
          {error}
        </section>
      </div>
      <ActForm
        now={`${group} failed on it ${attempts === 1 ? 'once' : `${attempts} times`}.`}
        then={
          scope === 'one' ? `${group} handles it once more.` : `Every open dead letter of ${type} is handled once more.`
        }
        label="Replay"
        busy={one.busy || all.busy}
        send={reason =>
          scope === 'one'
            ? one.send({ params: { id: String(id) }, body: { reason } })
            : all.send({ body: { type, reason } })
        }
      >
        <Segmented legend="What to replay" options={SCOPES} value={scope} onChange={setScope} />
      </ActForm>
    </div>
  )
}
