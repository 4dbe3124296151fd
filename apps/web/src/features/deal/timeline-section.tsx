import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { LoadError } from '../../components/load-error.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { formatDateTime } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { actorName, clockWords, withoutRepeatedClocks } from './timeline.view.js'

/** The history of a deal, newest first: what happened, by whom, when, and what it did to the deadline. */
export function TimelineSection({ deal }: { deal: Transaction }) {
  const { data, error, mutate } = useCall(routes.getTimeline, { params: { id: String(deal.id) } })
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="display mb-3 text-xl">
        History
      </h2>
      {data ? (
        <ol className="border-l border-edge">
          {withoutRepeatedClocks(data).map(entry => (
            <li key={entry.id} className="relative pb-5 pl-6 last:pb-0">
              <span aria-hidden="true" className="absolute top-2 -left-[4.5px] size-2 rounded-full bg-ink" />
              <p className="font-medium">{entry.text}</p>
              <p className="text-sm text-ink-soft">
                <time dateTime={entry.at} className="figures">
                  {formatDateTime(new Date(entry.at))}
                </time>
                , {actorName(entry.actor, deal)}
              </p>
              {entry.clock && <p className="text-sm text-ink-soft">{clockWords(entry.clock)}</p>}
            </li>
          ))}
        </ol>
      ) : error ? (
        <LoadError title="The history could not be loaded" error={error} retry={() => void mutate()} />
      ) : (
        <Loading label="Loading history">
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
    </section>
  )
}
