import { routes } from 'virtual:routes'
import type { Message } from '@holdfast/contracts/messages'
import { useMemo, useRef } from 'react'
import { usePages } from '../../lib/use-pages.js'

/** The messages that were loaded, oldest first. */
interface Loaded {
  readonly dealId: number
  readonly messages: readonly Message[]
  /** Whether the first message of the chat is among them. */
  readonly fromStart: boolean
}

/** The chat of a deal, oldest first: its newest messages, and earlier ones page by page. */
export function useMessages(dealId: number) {
  const list = usePages(routes.listMessages, { params: { id: String(dealId) }, query: {} })
  const { pages, hasMore } = list
  const last = useRef<Loaded>(undefined)
  const loaded = useMemo(() => {
    if (!pages) return undefined
    last.current = withKnown(last.current, { dealId, messages: inOrder(pages), fromStart: !hasMore })
    return last.current
  }, [dealId, pages, hasMore])
  /** Shows a message that was just sent, before the list is asked for again. */
  const add = (message: Message) => list.changeFirst(known => [...known.filter(({ id }) => id !== message.id), message])
  return { ...list, messages: loaded?.messages, hasMore: loaded?.fromStart === false, add }
}

// Each page is oldest first, and the first page is the newest. A message that came meanwhile may be on two of them.
function inOrder(pages: readonly (readonly Message[])[]): readonly Message[] {
  const byId = new Map(pages.toReversed().flatMap(page => page.map(message => [message.id, message] as const)))
  return [...byId.values()]
}

/**
 * Puts known earlier messages before the loaded ones. When new messages come, the same number of pages reaches less far
 * back, and the message in view could disappear. Messages are never changed or deleted, so a known one is right.
 */
function withKnown(known: Loaded | undefined, loaded: Loaded): Loaded {
  if (known?.dealId !== loaded.dealId) return loaded
  const oldest = loaded.messages[0]?.id
  const earlier = known.messages.slice(
    0,
    Math.max(
      0,
      known.messages.findIndex(({ id }) => id === oldest),
    ),
  )
  if (earlier.length === 0) return loaded
  return { ...loaded, messages: [...earlier, ...loaded.messages], fromStart: known.fromStart || loaded.fromStart }
}
