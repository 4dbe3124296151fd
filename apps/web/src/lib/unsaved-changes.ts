import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** The forms on the page that have changes which are not saved. */
const unsaved = new Set<symbol>()
const listeners = new Set<() => void>()

const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()

function note(form: symbol, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form)
  else unsaved.delete(form)
  // Only while there are changes: some browsers load a page that listens to this anew when the user comes back to it.
  if (unsaved.size > 0) window.addEventListener('beforeunload', askBrowser)
  else window.removeEventListener('beforeunload', askBrowser)
  for (const notify of listeners) notify()
}

export const hasUnsavedChanges = () => unsaved.size > 0

/** Lets the page be left without a question. */
export function discardChanges(): void {
  for (const form of unsaved) note(form, false)
}

/** Whether a form on the page has changes that are not saved. */
export const useHasUnsavedChanges = () =>
  useSyncExternalStore(listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, hasUnsavedChanges)

/**
 * While the form has changes that are not saved, the user is asked before its page is left (`LeaveQuestion`).
 *
 * @returns a function that ends this at once, before the next render. It is for a form that leaves the page itself after it has saved
 * or dropped the changes
 */
export function useUnsavedChanges(isUnsaved: boolean): () => void {
  const [form] = useState(() => Symbol('form'))
  useEffect(() => {
    note(form, isUnsaved)
    return () => note(form, false)
  }, [form, isUnsaved])
  return useCallback(() => note(form, false), [form])
}
