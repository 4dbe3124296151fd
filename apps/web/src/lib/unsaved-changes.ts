import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** The forms on the page that have changes which are not saved. */
const unsaved = new Set<symbol>()
const listeners = new Set<() => void>()

const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()

function note(form: symbol, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form)
  else unsaved.delete(form)
  // Only while there is something to lose: browsers keep no page for Back that listens to this.
  if (unsaved.size > 0) window.addEventListener('beforeunload', askBrowser)
  else window.removeEventListener('beforeunload', askBrowser)
  for (const notify of listeners) notify()
}

export const hasUnsavedChanges = () => unsaved.size > 0

/** The page may be left now without a question. */
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
 * Has the user asked before the page of this form is left (`LeaveQuestion`), while it has changes that are not saved. Answers a function for
 * when they were saved or given up, if the page is left at once.
 */
export function useUnsavedChanges(isUnsaved: boolean): () => void {
  const [form] = useState(() => Symbol('form'))
  useEffect(() => {
    note(form, isUnsaved)
    return () => note(form, false)
  }, [form, isUnsaved])
  return useCallback(() => note(form, false), [form])
}
