import { routes } from 'virtual:routes'
import type { Message } from '@holdfast/contracts/messages'
import { type RefObject, useEffect, useRef } from 'react'
import { request } from '../../lib/api.js'
import { refreshAfter } from '../../lib/live/changes.js'

/**
 * Marks the chat of a deal as read while it is in view, up to the last message of the other party. A tab in the background reads nothing.
 * The reader gave no command, so a failure shows no message: what is unread stays unread.
 */
export function useMarkRead(
  dealId: number,
  messages: readonly Message[] | undefined,
  viewerId: string,
  box: RefObject<Element | null>,
) {
  const marked = useRef<string>(undefined)
  const last = messages?.findLast(({ senderId }) => senderId !== null && senderId !== viewerId)?.id
  useEffect(() => {
    const element = box.current
    if (!element || last === undefined || last === marked.current) return
    let isInView = false
    const mark = () => {
      if (!isInView || document.visibilityState !== 'visible' || marked.current === last) return
      marked.current = last
      request(routes.readMessages, { params: { id: String(dealId) }, body: { upTo: last } })
        .then(() => refreshAfter({ kind: 'read' }))
        .catch((failure: unknown) => {
          marked.current = undefined
          console.error('marking messages as read failed', failure)
        })
    }
    const observer = new IntersectionObserver(([entry]) => {
      isInView = entry?.isIntersecting ?? false
      mark()
    })
    observer.observe(element)
    document.addEventListener('visibilitychange', mark)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', mark)
    }
  }, [dealId, last, box])
}
