import type { Message } from '@holdfast/contracts/messages'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useEffect, useRef } from 'react'
import { RelativeTime } from '../../components/relative-time.js'
import { classes } from '../../lib/class-names.js'

interface ChatMessagesProps {
  messages: readonly Message[]
  deal: Transaction
}

/** The conversation in a box of fixed height, scrolled to its newest message. */
export function ChatMessages({ messages, deal }: ChatMessagesProps) {
  const box = useScrolledToEnd(messages.at(-1)?.id)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <div ref={box} tabIndex={0} role="log" aria-label="Conversation" className="h-96 overflow-y-auto px-4 py-4 sm:px-5">
      {messages.length === 0 ? (
        <p className="text-ink-soft">
          Nothing was written yet. Agree here on what matters: a mediator reads it if there is ever a dispute.
        </p>
      ) : (
        <ol className="grid gap-3">
          {messages.map(message => (
            <ChatMessage key={message.id} message={message} deal={deal} />
          ))}
        </ol>
      )}
    </div>
  )
}

function ChatMessage({ message, deal }: { message: Message; deal: Transaction }) {
  const { buyer, seller, viewerRole } = deal
  if (message.isSystem || message.senderId === null) return <SystemMessage message={message} />
  const role = message.senderId === buyer.id ? 'buyer' : 'seller'
  const mine = role === viewerRole
  const name = mine ? 'You' : (role === 'buyer' ? buyer : seller).firstName
  return (
    <li className={classes('max-w-[85%]', mine && 'justify-self-end')}>
      <p
        className={classes(
          'rounded-md px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]',
          mine ? 'bg-ink text-on-ink' : 'bg-sunken',
        )}
      >
        {message.content}
      </p>
      <p className={classes('mt-1 text-xs text-ink-soft', mine && 'text-right')}>
        {name}, <RelativeTime at={message.createdAt} />
      </p>
    </li>
  )
}

function SystemMessage({ message }: { message: Message }) {
  return (
    <li className="border-l-2 border-edge pl-3 text-sm text-ink-soft">
      <p>{message.content}</p>
      <p className="text-xs">
        Holdfast, <RelativeTime at={message.createdAt} />
      </p>
    </li>
  )
}

/** A box that follows its newest entry. */
function useScrolledToEnd(newestId: string | undefined) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is the reason to run
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [newestId])
  return box
}
