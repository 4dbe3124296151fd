import { routes } from 'virtual:routes'
import type { Message } from '@holdfast/contracts/messages'
import { useMemo } from 'react'
import { usePages } from '../../lib/use-pages.js'

/** The chat of a deal, oldest first: its newest messages, and earlier ones page by page. */
export function useMessages(dealId: number) {
  const list = usePages(routes.listMessages, { params: { id: String(dealId) }, query: {} })
  const { pages } = list
  const messages = useMemo(() => pages && inOrder(pages), [pages])
  /** Shows a message that was just sent, before the list is asked for again. */
  const add = (message: Message) => list.changeFirst(known => [...known.filter(({ id }) => id !== message.id), message])
  return { ...list, messages, add }
}

// Each page is oldest first, and the first page is the newest. A message that came meanwhile may be on two of them.
function inOrder(pages: readonly (readonly Message[])[]): readonly Message[] {
  const byId = new Map(pages.toReversed().flatMap(page => page.map(message => [message.id, message] as const)))
  return [...byId.values()]
}
