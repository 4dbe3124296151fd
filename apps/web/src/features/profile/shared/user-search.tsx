import { routes } from 'virtual:routes'
import type { PublicUser } from '@holdfast/contracts/users'
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Combobox } from '../../../components/combobox.js'
import { QueryState } from '../../../components/query-state.js'
import { Loading, Skeleton } from '../../../components/skeleton.js'
import { useSession } from '../../../lib/current-user.js'
import { useCall } from '../../../lib/use-call.js'
import { useDebounced } from '../../../lib/use-debounced.js'
import { Person } from './person.js'

const TYPING_PAUSE_MS = 250

/** Finds people by their username, name or e-mail address; runs from the third character on. */
export function UserSearch({ onSelect }: { onSelect: (user: PublicUser) => void }) {
  const { user: me } = useSession()
  const [text, setText] = useState('')
  const q = useDebounced(text.trim(), TYPING_PAUSE_MS)
  const isSearch = q.length >= MIN_SEARCH_LENGTH
  const query = useCall(routes.searchUsers, isSearch ? { query: { q } } : null)
  const others = useMemo(() => query.data?.filter(user => user.id !== me?.id), [query.data, me?.id])
  return (
    <Combobox
      label="Search for a user"
      hint={`At least ${MIN_SEARCH_LENGTH} characters; an e-mail address in full.`}
      icon={<Search className="size-4" />}
      placeholder="Search by username, name, or email"
      maxLength={MAX_SEARCH_LENGTH}
      text={text}
      onTextChange={setText}
      items={others}
      keyOf={user => user.id}
      render={user => <Person user={user} />}
      onSelect={onSelect}
    >
      {isSearch && (
        <QueryState query={query} errorTitle="The search failed" loading={<SearchSkeleton />}>
          {() => others?.length === 0 && <p className="text-ink-soft">No users found matching "{q}"</p>}
        </QueryState>
      )}
    </Combobox>
  )
}

function SearchSkeleton() {
  return (
    <Loading label="Searching">
      <div className="flex items-center gap-3 py-3">
        <Skeleton className="size-11 rounded-full" />
        <Skeleton className="h-4 w-40" />
      </div>
    </Loading>
  )
}
