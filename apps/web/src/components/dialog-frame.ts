import { useRef } from 'react'

/** The veil over the page. */
export const VEIL = 'fixed inset-0 z-40 bg-veil data-[state=open]:animate-appear'
/** A dialog over the page: at the bottom of a narrow screen, in the middle of a wide one. Its width is up to the caller. */
export const FRAME =
  'fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-lg bg-surface p-5 shadow-float data-[state=open]:animate-appear sm:top-1/2 sm:right-auto sm:bottom-auto sm:left-1/2 sm:w-[calc(100%-3rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:p-7'

/**
 * Gives the focus back to where it was before a dialog was opened, or to the page when that is gone. Radix gives it back to its own
 * trigger only, and these dialogs are opened from elsewhere.
 */
export function useReturningFocus() {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus() {
      opener.current = document.activeElement
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      // What was asked may have taken its own button away.
      const target = opener.current?.isConnected ? opener.current : document.querySelector('main')
      if (target instanceof HTMLElement) target.focus()
    },
  }
}
