import { routes } from 'virtual:routes'
import type { PublicUser } from '@holdfast/contracts/users'
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Field } from '../../components/field.js'
import { SearchInput } from '../../components/input.js'
import { LoadError } from '../../components/load-error.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { useSession } from '../../lib/current-user.js'
import { useCall } from '../../lib/use-call.js'
import { useDebounced } from '../../lib/use-debounced.js'
import { Person } from '../profile/shared/person.js'

const TYPING_PAUSE_MS = 250

/** Finds people by what one knows of them; runs from the third character on. */
export function UserSearch({ onSelect }: { onSelect: (user: PublicUser) => void }) {
  const [text, setText] = useState('')
  const query = useDebounced(text.trim(), TYPING_PAUSE_MS)
  return (
    <div>
      <Field label="Search for a user" hint={`At least ${MIN_SEARCH_LENGTH} characters; an e-mail address in full.`}>
        <SearchInput
          icon={<Search className="size-4" />}
          placeholder="Search by username, name, or email"
          value={text}
          onChange={event => setText(event.target.value)}
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="off"
        />
      </Field>
      <div aria-live="polite" className="mt-4">
        {query.length >= MIN_SEARCH_LENGTH && <UserResults query={query} onSelect={onSelect} />}
      </div>
    </div>
  )
}

function UserResults({ query, onSelect }: { query: string; onSelect: (user: PublicUser) => void }) {
  const { user: me } = useSession()
  const { data, error, mutate } = useCall(routes.searchUsers, { query: { q: query } })
  if (error && !data) return <LoadError title="The search failed" error={error} retry={() => void mutate()} />
  if (!data) {
    return (
      <Loading label="Searching">
        <div className="flex items-center gap-3 py-3">
          <Skeleton className="size-11 rounded-full" />
          <Skeleton className="h-4 w-40" />
        </div>
      </Loading>
    )
  }
  const others = data.filter(user => user.id !== me?.id)
  if (others.length === 0) return <p className="py-3 text-ink-soft">No users found matching "{query}"</p>
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {others.map(user => (
        <li key={user.id}>
          <button
            type="button"
            onClick={() => onSelect(user)}
            className="w-full px-2 py-3 text-left -outline-offset-2 hover:bg-sunken"
          >
            <Person user={user} />
          </button>
        </li>
      ))}
    </ul>
  )
}
