import { routes } from 'virtual:routes'
import type { DeadLetter } from '@holdfast/contracts/admin-escrow'
import { pages } from '@holdfast/contracts/pages'
import { useState } from 'react'
import { Badge } from '../../components/badge.js'
import { Dialog } from '../../components/dialog.js'
import { QueryState } from '../../components/query-state.js'
import { RelativeTime } from '../../components/relative-time.js'
import { Segmented } from '../../components/segmented.js'
import { useCall } from '../../lib/use-call.js'
import { FactsList } from './facts-list.js'
import { LoadingList } from './loading-list.js'
import { ActForm } from './shared/act-form.js'
import { ConsoleFrame } from './shared/console-frame.js'
import { ConsoleList } from './shared/console-list.js'
import { useAct } from './use-act.js'

/** Events that a handler failed on, of all services. */
export function DeadLetters() {
  const query = useCall(routes.listDeadLetters, { query: { limit: 100 } })
  const [opened, open] = useState<DeadLetter | null>(null)
  return (
    <ConsoleFrame
      page={pages.adminDeadLetters}
      lead="Events that a handler failed on five times. Mend the handler first. The runbook is docs/runbooks/dead-letters.md."
    >
      <QueryState
        query={query}
        errorTitle="The dead letters could not be loaded"
        loading={<LoadingList label="Loading dead letters" />}
      >
        {items => (
          <ConsoleList
            caption="Dead letters"
            items={items}
            keyOf={({ id }) => String(id)}
            open={open}
            empty="Every event was handled."
            columns={[
              { label: 'Event', cell: ({ type }) => <span className="[overflow-wrap:anywhere]">{type}</span> },
              { label: 'Failed in', cell: ({ group }) => group },
              { label: 'Error', cell: ({ error }) => <span className="line-clamp-2">{error}</span>, wide: true },
              { label: 'Failed', cell: ({ at }) => <RelativeTime at={at} />, wide: true },
              {
                label: 'Replay',
                cell: ({ replayRequestedAt }) =>
                  replayRequestedAt ? <Badge>Asked for</Badge> : <Badge tone="trouble">Open</Badge>,
              },
            ]}
          />
        )}
      </QueryState>
      <Dialog open={opened !== null} onOpenChange={() => open(null)} title={`Dead letter ${opened?.id ?? ''}`} wide>
        {opened && <Replay letter={opened} onDone={() => open(null)} />}
      </Dialog>
    </ConsoleFrame>
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
  const one = useAct(routes.replayDeadLetter, words)
  const all = useAct(routes.replayDeadLetters, words)
  return (
    <div className="grid gap-5">
      <FactsList
        title={`${type} in ${group}`}
        facts={{ topic, key, eventId, occurredAt, attempts, requestId, error }}
      />
      <ActForm
        now={`${group} failed on it ${attempts} times.`}
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
