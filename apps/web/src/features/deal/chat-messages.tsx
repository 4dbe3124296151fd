import type { Message } from '@holdfast/contracts/messages'
import type { Transaction } from '@holdfast/contracts/transactions'
import { ArrowDown } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.js'
import { Lightbox } from '../../components/lightbox.js'
import { RelativeTime } from '../../components/relative-time.js'
import { ShowMore } from '../../components/show-more.js'
import { classes } from '../../lib/class-names.js'
import { formatDateTime } from '../../lib/time.js'
import type { Pages } from '../../lib/use-pages.js'
import { ChatPictures, picturesOf } from './shared/chat-pictures.js'
import { useChatScroll } from './use-chat-scroll.js'
import { useMarkRead } from './use-mark-read.js'
import type { Outgoing } from './use-outgoing.js'

interface ChatMessagesProps {
  messages: readonly Message[]
  /** The list that the messages come from: it goes on with earlier ones. */
  earlier: Pages<Message>
  outgoing: Outgoing
  /** Whether the other one still gets messages. */
  mayWrite: boolean
  deal: Transaction
}

/** The conversation in a box of fixed height, which begins at its newest message. */
export function ChatMessages({ messages, earlier, outgoing, mayWrite, deal }: ChatMessagesProps) {
  const { box, hasNew, toEnd, onScroll } = useChatScroll(
    messages,
    deal[deal.viewerRole].id,
    outgoing.unanswered?.key,
    `${outgoing.busy} ${earlier.error?.message}`,
  )
  const [shown, setShown] = useState<string | null>(null)
  useMarkRead(deal.id, messages, deal[deal.viewerRole].id, box)
  return (
    <div className="relative">
      <div
        ref={box}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        className="relative h-96 overflow-y-auto px-4 py-4 [contain:strict] [overflow-anchor:none] sm:px-5"
      >
        {messages.length === 0 && !outgoing.unanswered ? (
          <p className="text-ink-soft">
            Nothing was written yet. Agree here on what matters: a mediator reads it if there is ever a dispute.
          </p>
        ) : (
          <>
            {(earlier.hasMore || earlier.error) && (
              <div className="mb-3 grid justify-center">
                <ShowMore
                  of={earlier}
                  size="sm"
                  label="Show earlier messages"
                  errorTitle="The messages could not all be loaded"
                />
              </div>
            )}
            <ol className="grid gap-3">
              <PostedMessages messages={messages} deal={deal} onShow={setShown} />
              <UnansweredMessage outgoing={outgoing} maySend={mayWrite} />
            </ol>
          </>
        )}
      </div>
      {hasNew && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 grid justify-center">
          <Button kind="quiet" size="sm" onClick={toEnd} className="pointer-events-auto shadow-float">
            <ArrowDown aria-hidden="true" className="size-4" />
            New message
          </Button>
        </div>
      )}
      <Enlarged messages={messages} deal={deal} shown={shown} onShow={setShown} />
    </div>
  )
}

interface EnlargedProps {
  messages: readonly Message[]
  deal: Transaction
  /** The address of the picture that is shown large. */
  shown: string | null
  onShow: (url: string | null) => void
}

/** A picture of the chat over the page; the others of the messages that are loaded come before and after it. */
function Enlarged({ messages, deal, shown, onShow }: EnlargedProps) {
  const pictures =
    shown === null
      ? []
      : picturesOf(
          messages,
          message => `${writerOf(message, deal).name}, ${formatDateTime(new Date(message.createdAt))}`,
        )
  const index = pictures.findIndex(({ url }) => url === shown)
  return (
    <Lightbox
      pictures={pictures}
      shown={index < 0 ? null : index}
      onShow={next => onShow(next === null ? null : (pictures[next]?.url ?? null))}
    />
  )
}

// A chat can have thousands of messages. They are not rendered again for each key that is pressed in the box below.
const PostedMessages = memo(
  ({ messages, ...of }: { messages: readonly Message[] } & Omit<ChatMessageProps, 'message'>) =>
    messages.map(message => <ChatMessage key={message.id} message={message} {...of} />),
)

interface ChatMessageProps {
  message: Message
  deal: Transaction
  onShow: (url: string) => void
}

function ChatMessage({ message, deal, onShow }: ChatMessageProps) {
  if (message.isSystem || message.senderId === null) return <SystemMessage message={message} />
  const { mine, name } = writerOf(message, deal)
  const pictures = message.images.map(({ url }) => url)
  return (
    <Bubble
      id={message.id}
      mine={mine}
      content={message.content}
      pictures={<ChatPictures urls={pictures} by={name} mine={mine} onShow={onShow} />}
    >
      {name}, <RelativeTime at={message.createdAt} />
    </Bubble>
  )
}

/** Who wrote a message, as the viewer calls them. */
function writerOf({ senderId }: Message, { buyer, seller, viewerRole }: Transaction) {
  const role = senderId === buyer.id ? 'buyer' : 'seller'
  const mine = role === viewerRole
  return { mine, name: mine ? 'You' : (role === 'buyer' ? buyer : seller).firstName }
}

interface BubbleProps {
  id?: string
  mine: boolean
  content: string
  pictures: ReactNode
  /** Under the words: who wrote them, and when. */
  children: ReactNode
}

function Bubble({ id, mine, content, pictures, children }: BubbleProps) {
  return (
    <li data-message={id} className={classes('max-w-[85%]', mine ? 'justify-self-end' : 'justify-self-start')}>
      {content !== '' && (
        <p className={classes('typed w-fit rounded-md px-3 py-2', mine ? 'ml-auto bg-ink text-on-ink' : 'bg-sunken')}>
          {content}
        </p>
      )}
      {pictures}
      <div className={classes('mt-1 text-xs text-ink-soft', mine && 'text-right')}>{children}</div>
    </li>
  )
}

function SystemMessage({ message }: { message: Message }) {
  return (
    <li data-message={message.id} className="border-l-2 border-edge pl-3 text-sm text-ink-soft">
      <p>{message.content}</p>
      <p className="text-xs">
        Holdfast, <RelativeTime at={message.createdAt} />
      </p>
    </li>
  )
}

/** The message that is being sent, or of which it is not known whether it was. */
function UnansweredMessage({ outgoing, maySend }: { outgoing: Outgoing; maySend: boolean }) {
  const { unanswered, busy, sendAgain, discard } = outgoing
  if (!unanswered) return null
  const pictures = unanswered.images ?? []
  return (
    <Bubble mine content={unanswered.content} pictures={<ChatPictures urls={pictures} by="you" mine />}>
      {busy ? (
        sendingWords(pictures.length)
      ) : (
        <>
          <p>We could not tell whether this was sent.{maySend && ' It is posted once, even if you send it again.'}</p>
          <p className="mt-1 flex justify-end gap-2">
            <Button kind="bare" size="sm" onClick={discard}>
              Discard
            </Button>
            {maySend && (
              <Button kind="quiet" size="sm" onClick={sendAgain}>
                Send Again
              </Button>
            )}
          </p>
        </>
      )}
    </Bubble>
  )
}

const sendingWords = (pictures: number): string =>
  pictures === 0 ? 'Sending...' : pictures === 1 ? 'Sending a picture...' : `Sending ${pictures} pictures...`
