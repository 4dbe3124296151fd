import type { Transaction } from '@holdfast/contracts/transactions'
import { isClosedUsername } from '@holdfast/kernel/closed-username'
import { Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { StaleNote } from '../../components/live-sign.js'
import { LoadError } from '../../components/load-error.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { ChatComposer } from './chat-composer.js'
import { ChatMessages } from './chat-messages.js'
import { otherParty } from './shared/deal.js'
import { useMessages } from './use-messages.js'
import { useOutgoing } from './use-outgoing.js'

const ANCHOR = 'messages'

/** What the two parties write to each other, and what the system says between. Nothing can be written to a closed account. */
export default function ChatSection({ deal }: { deal: Transaction }) {
  const chat = useMessages(deal.id)
  const { messages, error, retry } = chat
  const outgoing = useOutgoing(deal.id, chat.add)
  const composer = useFocusAtAnchor()
  const other = otherParty(deal)
  const isClosed = isClosedUsername(other.user.username)
  return (
    <section aria-labelledby="chat" id={ANCHOR} className="scroll-mt-6 rounded-lg border border-rule bg-surface">
      <header className="border-b border-rule px-4 py-3 sm:px-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id="chat" className="font-semibold">
            Messages
          </h2>
          <StaleNote />
        </div>
        <p className="flex items-center gap-1.5 text-sm text-ink-soft">
          <Lock aria-hidden="true" className="size-3.5" />
          Messages are encrypted and monitored
        </p>
      </header>
      {messages ? (
        <ChatMessages messages={messages} earlier={chat} outgoing={outgoing} mayWrite={!isClosed} deal={deal} />
      ) : (
        <div className="h-96 p-4 sm:px-5">
          {error ? (
            <LoadError title="The messages could not be loaded" error={error} retry={retry} />
          ) : (
            <Loading label="Loading messages">
              <Skeleton className="h-12 w-2/3 rounded-md" />
              <Skeleton className="mt-3 ml-auto h-12 w-1/2 rounded-md" />
            </Loading>
          )}
        </div>
      )}
      {isClosed ? (
        <p className="border-t border-rule px-4 py-3 text-ink-soft sm:px-5">
          The {other.role} has closed their account, so you cannot write to them.
        </p>
      ) : (
        <ChatComposer outgoing={outgoing} otherName={other.user.firstName} field={composer} />
      )}
    </section>
  )
}

/** A link to the messages leads into the box to write in. */
function useFocusAtAnchor() {
  const location = useLocation()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (location.hash !== `#${ANCHOR}`) return
    document.getElementById(ANCHOR)?.scrollIntoView({ block: 'start' })
    field.current?.focus({ preventScroll: true })
  }, [location])
  return field
}
