import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { MAX_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { EllipsisVertical, RefreshCw, Search } from 'lucide-react'
import { useState } from 'react'
import { AddressTabs } from '../../components/address-tabs.js'
import { Button, ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { Field } from '../../components/field.js'
import { SearchInput } from '../../components/input.js'
import { StaleNote } from '../../components/live-sign.js'
import { LoadError } from '../../components/load-error.js'
import { menuOnDemand } from '../../components/menu-on-demand.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { ShowMore } from '../../components/show-more.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { useDebounced } from '../../lib/use-debounced.js'
import { usePages } from '../../lib/use-pages.js'
import { ConversationRow } from './conversation-row.js'

const ConversationsMenu = menuOnDemand(() => import('./conversations-menu.js'))

/** The list is asked for again when nothing was typed for so long. */
const SEARCH_AFTER_MS = 250

/** The chats of all transactions in which somebody has written. */
export default function MessagesPage() {
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim(), SEARCH_AFTER_MS)
  return (
    <div className="page">
      <PageHead page={pages.messages} />
      <PageHeader
        title="Messages"
        lead="Every transaction has a chat of its own between its buyer and its seller."
        mark={<StaleNote />}
        actions={<Actions />}
      />
      <search>
        <Field label="Search" hideLabel className="mb-6 max-w-md">
          <SearchInput
            icon={<Search className="size-4" />}
            placeholder="Search by name or item"
            value={typed}
            maxLength={MAX_SEARCH_LENGTH}
            onChange={event => setTyped(event.target.value)}
          />
        </Field>
      </search>
      <AddressTabs
        label="Conversations"
        tabs={[
          { value: 'all', label: 'All Conversations', content: <Conversations q={q} /> },
          { value: 'unread', label: 'Unread', content: <Conversations q={q} unread /> },
        ]}
      />
    </div>
  )
}

function Actions() {
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    await refreshAfter({ kind: 'message' }).finally(() => setBusy(false))
  }
  return (
    <>
      <Button kind="quiet" busy={busy} onClick={() => void refresh()}>
        {!busy && <RefreshCw aria-hidden="true" className="size-4" />}
        Refresh
      </Button>
      <ConversationsMenu
        trigger={
          <Button kind="quiet" aria-label="More about messages">
            <EllipsisVertical aria-hidden="true" className="size-4" />
          </Button>
        }
      />
    </>
  )
}

function Conversations({ q, unread = false }: { q: string; unread?: boolean }) {
  const user = useSignedInUser()
  const query = { ...(q === '' ? {} : { q }), ...(unread ? { unread: 'true' as const } : {}) }
  const list = usePages(routes.listConversations, { query }, { keepPreviousData: true })
  const { items, error, retry } = list
  if (!items)
    return error ? (
      <LoadError title="The conversations could not be loaded" error={error} retry={retry} />
    ) : (
      <Loading label="Loading conversations">
        {[1, 2, 3].map(row => (
          <Skeleton key={row} className="mb-3 h-20 rounded-lg" />
        ))}
      </Loading>
    )
  if (items.length === 0) return <Empty isSearch={q !== ''} unread={unread} />
  return (
    <div className="grid grid-cols-1 gap-6">
      <ul className="divide-y divide-rule border-y border-rule">
        {items.map(conversation => (
          <ConversationRow key={conversation.transactionId} conversation={conversation} viewerId={user.id} />
        ))}
      </ul>
      <ShowMore of={list} errorTitle="More conversations could not be loaded" />
    </div>
  )
}

function Empty({ isSearch, unread }: { isSearch: boolean; unread: boolean }) {
  if (isSearch)
    return (
      <EmptyState level={2} title="No Conversation Found">
        No name and no item has these words. The words of the messages are not searched.
      </EmptyState>
    )
  if (unread)
    return (
      <EmptyState level={2} title="No Unread Messages">
        You have read everything that was written to you.
      </EmptyState>
    )
  return (
    <EmptyState
      level={2}
      title="No Messages Yet"
      action={<ButtonLink to={paths.dashboard}>Go to Your Transactions</ButtonLink>}
    >
      Write in the chat of a transaction, and the conversation shows here.
    </EmptyState>
  )
}
