import { routes } from 'virtual:routes'
import type { Message } from '@holdfast/contracts/messages'
import { serverWords } from '../../lib/api.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { useCommand } from '../../lib/use-command.js'
import { useDraft } from '../../lib/use-draft.js'

/** A message that was sent and is not answered yet. Its key stays the same until it is. */
interface Unanswered {
  readonly content: string
  readonly key: string
}

/** What is in the box, and the message before it if that is not answered. Both survive a reload. */
interface ChatDraft {
  readonly text: string
  readonly unanswered: Unanswered | null
}
const EMPTY: ChatDraft = { text: '', unanswered: null }
/** The draft was only text before. */
const VERSION = 2

export interface Outgoing {
  readonly text: string
  readonly setText: (text: string) => void
  readonly unanswered: Unanswered | null
  readonly busy: boolean
  /** Sends what is in the box and empties it. Does nothing for blank text, and while a message is unanswered. */
  readonly send: () => void
  /** Sends the unanswered message again, under its own key: the server posts it once. */
  readonly sendAgain: () => void
  readonly discard: () => void
}

/**
 * Sends messages one after the other. What is typed meanwhile stays in the box; a message that the server refused goes
 * back into the box, before it.
 */
export function useOutgoing(dealId: number, onSent: (message: Message) => void): Outgoing {
  const user = useSignedInUser()
  const { value, set } = useDraft<ChatDraft>(`chat:${dealId}`, EMPTY, VERSION)
  const { text, unanswered } = value
  const { give, busy } = useCommand(routes.postMessage, {
    whether: 'the message was sent',
    done: () => null,
    refused: error => ['Failed to send message', serverWords(error, 'Something went wrong')],
    onDone: message => {
      set(draft => ({ ...draft, unanswered: null }))
      onSent(message)
    },
    // The message itself says so, and offers to send it again.
    showsUnknown: true,
    // Not waited for: the next message can be sent at once.
    refresh: async () => void refreshAfter({ kind: 'message', transactionId: dealId }),
  })

  async function post({ content, key }: Unanswered) {
    const body = { transactionId: dealId, senderId: user.id, content, isSystem: false }
    const outcome = await give({ params: { id: String(dealId) }, body }, key)
    if (outcome?.kind !== 'refused') return
    set(draft => ({ text: draft.text === '' ? content : `${content}\n${draft.text}`, unanswered: null }))
  }

  function send() {
    const content = text.trim()
    if (content === '' || unanswered || busy) return
    const message = { content, key: crypto.randomUUID() }
    set({ text: '', unanswered: message })
    void post(message)
  }

  return {
    text,
    setText: next => set(draft => ({ ...draft, text: next })),
    unanswered,
    busy,
    send,
    sendAgain: () => unanswered && void post(unanswered),
    discard: () => set(draft => ({ ...draft, unanswered: null })),
  }
}
