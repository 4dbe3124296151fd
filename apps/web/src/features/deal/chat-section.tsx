import { routes } from 'virtual:routes'
import type { Message } from '@holdfast/contracts/messages'
import type { Transaction } from '@holdfast/contracts/transactions'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { LoadError } from '../../components/load-error.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { useCall } from '../../lib/use-call.js'
import { ChatComposer } from './chat-composer.js'
import { ChatMessages } from './chat-messages.js'
import { otherParty } from './shared/deal.js'

const ANCHOR = 'messages'

/** What the two parties write to each other, and what the system says between. */
export function ChatSection({ deal }: { deal: Transaction }) {
  const { data, error, mutate } = useCall(routes.listMessages, {
    params: { id: String(deal.id) },
    query: { limit: MAX_PAGE_SIZE },
  })
  const composer = useFocusAtAnchor()
  const add = (message: Message) =>
    void mutate((known = []) => [...known.filter(({ id }) => id !== message.id), message], { revalidate: false })
  return (
    <section aria-labelledby="chat" id={ANCHOR} className="scroll-mt-6 rounded-lg border border-rule bg-surface">
      <header className="border-b border-rule px-4 py-3 sm:px-5">
        <h2 id="chat" className="font-semibold">
          Messages
        </h2>
        <p className="flex items-center gap-1.5 text-sm text-ink-soft">
          <Lock aria-hidden="true" className="size-3.5" />
          Messages are encrypted and monitored
        </p>
      </header>
      {data ? (
        <ChatMessages messages={data} deal={deal} />
      ) : (
        <div className="h-96 p-4 sm:px-5">
          {error ? (
            <LoadError title="The messages could not be loaded" error={error} retry={() => void mutate()} />
          ) : (
            <Loading label="Loading messages">
              <Skeleton className="h-12 w-2/3 rounded-md" />
              <Skeleton className="mt-3 ml-auto h-12 w-1/2 rounded-md" />
            </Loading>
          )}
        </div>
      )}
      <ChatComposer
        key={deal.id}
        transactionId={deal.id}
        otherName={otherParty(deal).user.firstName}
        onSent={add}
        field={composer}
      />
    </section>
  )
}

/** Who comes by a link to the messages stands in the box to write in. */
function useFocusAtAnchor() {
  const { hash, key } = useLocation()
  const field = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link followed again is a reason to run
  useEffect(() => {
    if (hash !== `#${ANCHOR}`) return
    document.getElementById(ANCHOR)?.scrollIntoView({ block: 'start' })
    field.current?.focus({ preventScroll: true })
  }, [hash, key])
  return field
}
