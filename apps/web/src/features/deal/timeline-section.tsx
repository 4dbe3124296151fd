import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { TextLink } from '../../components/link.js'
import { LoadError } from '../../components/load-error.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { Timeline } from '../../components/timeline.js'
import { paths } from '../../lib/paths.js'
import { useCall } from '../../lib/use-call.js'
import { actorName, clockWords, withoutRepeatedClocks } from './timeline.view.js'

/** The history of a deal, newest first: what happened, by whom, when, and what it did to the deadline. */
export default function TimelineSection({ deal }: { deal: Transaction }) {
  const { data, error, mutate } = useCall(routes.getTimeline, { params: { id: String(deal.id) } })
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="display mb-3 text-xl">
        History
      </h2>
      {data ? (
        <Timeline
          entries={withoutRepeatedClocks(data).map(({ clock, actor, reason, ...entry }) => ({
            ...entry,
            by: actorName(actor, deal),
            note: (reason || clock) && (
              <>
                {reason && <span className="typed block">Reason: {reason}</span>}
                {clock && clockWords(clock)}
              </>
            ),
          }))}
        />
      ) : error ? (
        <LoadError title="The history could not be loaded" error={error} retry={() => void mutate()} />
      ) : (
        <Loading label="Loading history">
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
      <p className="mt-4">
        <TextLink to={paths.statement(deal.id)}>Statement to print</TextLink>
      </p>
    </section>
  )
}
