import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react'
import { browserStore, orUndefined } from './browser-store.js'
import { useSignedInUser } from './current-user.js'
import { countSignOuts, draftName } from './drafts.js'

interface Draft<T> {
  readonly value: T
  readonly set: Dispatch<SetStateAction<T>>
  /** True when this visit began with what an earlier one had left. */
  readonly isRestored: boolean
  /** It was sent, or is not wanted any more: the next visit begins with an empty form. */
  readonly forget: () => void
}

interface OpenForm {
  /** Takes a change of this draft: forms of one name have drafts of one shape. */
  readonly set: (change: never) => void
  readonly forget: () => void
  /** Whether its draft is the same as this one. */
  readonly has: (value: unknown) => boolean
}

/** The form that is open now, by the name of its draft. */
const openForms = new Map<string, OpenForm>()

/**
 * What was typed and is not sent yet. It survives a reload, Back, and the end of a session. It lasts as long as the tab,
 * and only the person who typed it gets it back. Where the browser forbids storage, or it is full, the draft lasts as
 * long as the page. Not for cards and passwords.
 *
 * @param form names the draft: "chat:7"
 * @param empty the form before anything was typed, fit for JSON; what equals it is not kept
 * @param version counts the shapes of the draft: a draft of another shape is not restored
 */
export function useDraft<T>(form: string, empty: T, version = 1): Draft<T> {
  const name = draftName(useSignedInUser().id, form, version)
  const [{ value, isRestored }, setState] = useState(() => {
    const kept = orUndefined(() => browserStore()?.getItem(name))
    return kept ? { value: JSON.parse(kept) as T, isRestored: true } : { value: empty, isRestored: false }
  })
  const latest = useRef({ value, empty, isOver: false, isGone: false, signOuts: countSignOuts() })
  latest.current.value = value
  const set = useCallback(
    (change: SetStateAction<T>) => {
      const { current } = latest
      const open = current.isGone && openForms.get(name)
      if (open) {
        if (typeof change === 'function' || open.has(current.value)) open.set(change as never)
        return
      }
      current.isOver = false
      const after = (before: T) => (typeof change === 'function' ? (change as (before: T) => T)(before) : change)
      if (current.isGone) {
        // An answer came after the page was left.
        current.value = after(current.value)
        keepDraft(name, current)
        return
      }
      setState(({ value: before, isRestored }) => {
        const value = after(before)
        return { value, isRestored: isRestored && value !== current.empty }
      })
    },
    [name],
  )
  const forget = useCallback(() => {
    const { current } = latest
    const open = current.isGone && openForms.get(name)
    if (open) {
      if (open.has(current.value)) open.forget()
      return
    }
    current.isOver = true
    if (current.isGone) keepDraft(name, current)
  }, [name])
  useEffect(() => {
    openForms.set(name, { set, forget, has: other => JSON.stringify(other) === JSON.stringify(latest.current.value) })
    latest.current.isGone = false
    const keep = () => keepDraft(name, latest.current)
    const keepWhenHidden = () => document.visibilityState === 'hidden' && keep()
    // Written when the page goes, not with every key: pictures make a draft of megabytes.
    window.addEventListener('pagehide', keep)
    document.addEventListener('visibilitychange', keepWhenHidden)
    return () => {
      window.removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', keepWhenHidden)
      keep()
      latest.current.isGone = true
      openForms.delete(name)
    }
  }, [name, set, forget])
  return { value, set, isRestored, forget }
}

interface Typed<T> {
  readonly value: T
  readonly empty: T
  readonly isOver: boolean
  readonly signOuts: number
}

function keepDraft<T>(name: string, { value, empty, isOver, signOuts }: Typed<T>) {
  const text = JSON.stringify(value)
  const isNothing = isOver || signOuts !== countSignOuts() || text === JSON.stringify(empty)
  orUndefined(() => (isNothing ? browserStore()?.removeItem(name) : browserStore()?.setItem(name, text)))
}
