import { routes } from 'virtual:routes'
import type { Message } from '@holdfast/contracts/messages'
import type { ApiError } from '@holdfast/http-client/api-error'
import { MAX_MESSAGE_IMAGES } from '@holdfast/kernel/messages'
import { fieldErrors, serverWords, UPLOAD_TIMEOUT_MS } from '../../lib/api.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { useCommand } from '../../lib/use-command.js'
import { useDraft } from '../../lib/use-draft.js'

/** A message that was sent and is not answered yet. Its key stays the same until it is. */
interface Unanswered {
  readonly content: string
  /** Data URLs. A draft of the release before has none. */
  readonly images?: readonly string[]
  readonly key: string
}

/** What is in the box, and the message before it if that is not answered. Both survive a reload. */
interface ChatDraft {
  readonly text: string
  readonly images?: readonly string[]
  readonly unanswered: Unanswered | null
}
const NONE: readonly string[] = []
const EMPTY: ChatDraft = { text: '', unanswered: null }
/** The draft was only text before. */
const VERSION = 2

export interface Outgoing {
  readonly text: string
  readonly setText: (text: string) => void
  /** The pictures that go with the text, as data URLs. */
  readonly images: readonly string[]
  /** Adds pictures; what is over the limit of a message is left out. */
  readonly attach: (images: readonly string[]) => void
  readonly detach: (index: number) => void
  readonly unanswered: Unanswered | null
  readonly busy: boolean
  /** Why nothing more can be written here; null while nothing says so. */
  readonly refusal: string | null
  /** Sends what is in the box and empties it. Does nothing for blank text without pictures, and while a message is unanswered. */
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
  const { text, images = NONE, unanswered } = value
  const { give, busy, outcome } = useCommand(routes.postMessage, {
    whether: 'the message was sent',
    done: () => null,
    refused: error =>
      refusalOf(error)
        ? null
        : ['Failed to send message', wordsOfPicture(error) ?? serverWords(error, 'Something went wrong')],
    ...(images.length > 0 || unanswered?.images ? { timeoutMs: UPLOAD_TIMEOUT_MS } : {}),
    onDone: (message, { body }) => {
      set(draft => (draft.unanswered?.content === body.content ? { ...draft, unanswered: null } : draft))
      onSent(message)
    },
    // The message itself says so, and offers to send it again.
    showsUnknown: true,
    // Not waited for: the next message can be sent at once.
    refresh: async () => void refreshAfter({ kind: 'message', transactionId: dealId }),
  })

  async function post({ content, images: sent = NONE, key }: Unanswered) {
    const body = {
      ...{ transactionId: dealId, senderId: user.id, content, isSystem: false },
      ...(sent.length > 0 ? { images: [...sent] } : {}),
    }
    const sending = await give({ params: { id: String(dealId) }, body }, key)
    if (sending?.kind !== 'refused') return
    // What was refused goes back into the box, before what was typed and attached meanwhile.
    set(draft => ({
      text: [content, draft.text].filter(Boolean).join('\n'),
      ...withImages([...sent, ...(draft.images ?? NONE)].slice(0, MAX_MESSAGE_IMAGES)),
      unanswered: draft.unanswered?.key === key ? null : draft.unanswered,
    }))
  }

  function send() {
    const content = text.trim()
    if ((content === '' && images.length === 0) || unanswered || busy) return
    const message = { content, ...withImages(images), key: crypto.randomUUID() }
    set({ text: '', unanswered: message })
    void post(message)
  }

  return {
    text,
    setText: next => set(draft => ({ ...draft, text: next })),
    images,
    attach: added =>
      set(draft => ({ ...draft, ...withImages([...(draft.images ?? NONE), ...added].slice(0, MAX_MESSAGE_IMAGES)) })),
    detach: index =>
      set(({ images: before = NONE, ...draft }) => ({
        ...draft,
        ...withImages(before.filter((_, at) => at !== index)),
      })),
    unanswered,
    busy,
    refusal: outcome?.kind === 'refused' ? refusalOf(outcome.error) : null,
    send,
    sendAgain: () => unanswered && void post(unanswered),
    discard: () => set(draft => ({ ...draft, unanswered: null })),
  }
}

/** An empty list is left out, so that a draft without pictures is as it was before there were any. */
const withImages = (images: readonly string[]) => (images.length > 0 ? { images } : {})

/** A refusal that another attempt does not change. The chat shows it at the box to write in. */
const refusalOf = (error: ApiError): string | null =>
  error.code === 'COUNTERPARTY_UNAVAILABLE' ? serverWords(error, 'Failed to send message') : null

/** Which picture was refused, and why. */
function wordsOfPicture(error: unknown): string | undefined {
  const [found] = Object.entries(fieldErrors(error)).filter(([field]) => field.startsWith('images.'))
  return found && `Picture ${Number(found[0].slice('images.'.length)) + 1}: ${found[1]}`
}
