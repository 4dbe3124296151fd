import { routes } from 'virtual:routes'
import { Button } from '../../components/button.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { Person } from './shared/person.js'

/** The people whom the user has blocked, each with a button that ends it. */
export function BlockedPeople() {
  const query = useCall(routes.listBlockedUsers, {})
  const unblock = useCommand(routes.unblockUser, {
    whether: 'the person was unblocked',
    done: () => ['Unblocked', 'They can open transactions with you again.'],
    refused: error => ['They were not unblocked', error.serverMessage],
    refresh: () => refresh(routes.listBlockedUsers),
  })
  return (
    <section>
      <h2 className="display mb-4 text-xl">People you have blocked</h2>
      <QueryState
        query={query}
        errorTitle="The people you have blocked could not be loaded"
        loading={
          <Loading label="Loading blocked people">
            <Skeleton className="h-14 w-full" />
          </Loading>
        }
      >
        {people =>
          people.length === 0 ? (
            <p className="text-ink-soft">
              You have blocked no one. You can block the other person of a transaction on its page: they can then open
              no new one with you.
            </p>
          ) : (
            <ul className="divide-y divide-rule border-y border-rule">
              {people.map(person => (
                <li key={person.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
                  <Person user={person} showRating={false} />
                  <Button
                    kind="quiet"
                    busy={unblock.busy}
                    onClick={() => void unblock.give({ params: { userId: person.id } })}
                  >
                    Unblock {person.firstName}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  )
}
