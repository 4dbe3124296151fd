import { routes } from 'virtual:routes'
import type { PublicUser } from '@holdfast/contracts/users'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { Person } from './shared/person.js'
import { UserSearch } from './shared/user-search.js'

/** The people whom a user wants to find again. */
export default function ContactsTab() {
  const query = useCall(routes.listContacts, {})
  const { add, remove } = useContacts()
  const [isAdding, setIsAdding] = useState(false)
  const save = async ({ id }: PublicUser) => {
    setIsAdding(false)
    await add.give({ body: { userId: id } })
  }
  return (
    <div className="grid gap-12">
      <section>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <h2 className="display text-xl">Saved Contacts</h2>
          <Button onClick={() => setIsAdding(true)}>Add Contact</Button>
        </div>
        <QueryState query={query} errorTitle="Your contacts could not be loaded" loading={<ContactsSkeleton />}>
          {({ saved }) => (
            <People people={saved} empty="No saved contacts. Save the people with whom you trade again.">
              {person => (
                <Button
                  kind="quiet"
                  size="sm"
                  busy={remove.busy}
                  onClick={() => void remove.give({ params: { userId: person.id } })}
                >
                  Remove <span className="sr-only">{person.firstName}</span>
                </Button>
              )}
            </People>
          )}
        </QueryState>
      </section>
      <section>
        <h2 className="display mb-4 text-xl">Recent Contacts</h2>
        <QueryState query={query} errorTitle="Your contacts could not be loaded" loading={<ContactsSkeleton />}>
          {({ recent }) => (
            <People people={recent} empty="No recent contacts. The other person of each transaction appears here.">
              {person => (
                <Button kind="quiet" size="sm" busy={add.busy} onClick={() => void save(person)}>
                  Save <span className="sr-only">{person.firstName}</span>
                </Button>
              )}
            </People>
          )}
        </QueryState>
      </section>
      <Dialog
        open={isAdding}
        onOpenChange={setIsAdding}
        title="Add Contact"
        description="Choose the person in the list. They are not told."
      >
        <UserSearch onSelect={person => void save(person)} />
      </Dialog>
    </div>
  )
}

function useContacts() {
  const add = useCommand(routes.addContact, {
    whether: 'the contact was saved',
    done: () => ['Contact saved'],
    refused: error => ['The contact was not saved', error.serverMessage],
    refresh: () => refresh(routes.listContacts),
  })
  const remove = useCommand(routes.removeContact, {
    whether: 'the contact was removed',
    done: () => ['Contact removed'],
    refused: error => ['The contact was not removed', error.serverMessage],
    refresh: () => refresh(routes.listContacts),
  })
  return { add, remove }
}

interface PeopleProps {
  people: readonly PublicUser[]
  empty: string
  /** What can be done with a person. */
  children: (person: PublicUser) => ReactNode
}

function People({ people, empty, children }: PeopleProps) {
  if (people.length === 0) return <p className="text-ink-soft">{empty}</p>
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {people.map(person => (
        <li key={person.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
          <Person user={person} linked />
          {children(person)}
        </li>
      ))}
    </ul>
  )
}

const ContactsSkeleton = () => (
  <Loading label="Loading contacts">
    <Skeleton className="h-14 w-full" />
  </Loading>
)
