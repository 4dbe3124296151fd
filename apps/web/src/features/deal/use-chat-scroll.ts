import type { Message } from '@holdfast/contracts/messages'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** This near to its end, in pixels, the box counts as being at its end. */
const END_PX = 48

/** Where the reader is: the first message in view, and how far it is from the upper edge of the box. */
interface Place {
  readonly atEnd: boolean
  readonly messageId: string | undefined
  readonly offsetPx: number
}
const AT_END: Place = { atEnd: true, messageId: undefined, offsetPx: 0 }

interface ChatScroll {
  readonly box: RefObject<HTMLDivElement | null>
  /** A message came while the reader was further up. */
  readonly hasNew: boolean
  readonly toEnd: () => void
  readonly onScroll: () => void
}

/**
 * Keeps the place of a reader in the chat. At the end the box follows new messages; further up it stays where it is, also
 * when earlier messages are put in before. The reader's own message always leads to the end.
 *
 * @param messages in the order of the page; each stands in an element with `data-message={id}`
 * @param sendingKey identifies the message that is being sent; undefined when none is
 * @param around changes whenever something else in the box gets another height
 */
export function useChatScroll(
  messages: readonly Message[],
  viewerId: string,
  sendingKey: string | undefined,
  around: string,
): ChatScroll {
  const box = useRef<HTMLDivElement>(null)
  const place = useRef(AT_END)
  const lastId = useRef<string>(undefined)
  const [hasNew, setHasNew] = useState(false)

  const toEnd = () => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
    place.current = AT_END
    setHasNew(false)
  }

  const last = messages.at(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other contents of the box are the reason to run
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const isNew = lastId.current !== undefined && last?.id !== lastId.current
    lastId.current = last?.id
    if (place.current.atEnd || (isNew && last?.senderId === viewerId)) {
      toEnd()
      return
    }
    if (isNew) setHasNew(true)
    restore(element, place.current)
    place.current = placeIn(element)
  }, [messages, around])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another message that is sent is the reason to run
  useLayoutEffect(() => {
    if (sendingKey !== undefined) toEnd()
  }, [sendingKey])

  const onScroll = () => {
    if (!box.current) return
    place.current = placeIn(box.current)
    if (place.current.atEnd) setHasNew(false)
  }
  return { box, hasNew, toEnd, onScroll }
}

function placeIn(box: HTMLElement): Place {
  const { scrollTop, scrollHeight, clientHeight } = box
  const inView = [...box.querySelectorAll<HTMLElement>('[data-message]')].find(
    message => message.offsetTop + message.offsetHeight > scrollTop,
  )
  return {
    atEnd: scrollHeight - scrollTop - clientHeight < END_PX,
    messageId: inView?.dataset.message,
    offsetPx: (inView?.offsetTop ?? 0) - scrollTop,
  }
}

function restore(box: HTMLElement, { messageId, offsetPx }: Place) {
  const message = [...box.querySelectorAll<HTMLElement>('[data-message]')].find(
    element => element.dataset.message === messageId,
  )
  if (message) box.scrollTop = message.offsetTop - offsetPx
}
