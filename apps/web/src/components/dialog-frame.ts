import { useRef } from 'react'

/** The style of the veil over the page. */
export const VEIL = 'fixed inset-0 z-40 bg-veil data-[state=open]:animate-appear'
/** The style of a dialog: at the bottom of a narrow screen, in the middle of a wide one. The caller sets its width. */
export const FRAME =
  'fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-lg bg-surface p-5 shadow-float data-[state=open]:animate-appear sm:top-1/2 sm:right-auto sm:bottom-auto sm:left-1/2 sm:w-[calc(100%-3rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:p-7'

/**
 * Returns the focus to the element that had it before a dialog was opened, or to the page when that element is gone. Radix returns
 * it only to a trigger of its own, and these dialogs have none.
 */
export function useReturningFocus() {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus() {
      opener.current = document.activeElement
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const target = opener.current
      if (!(target instanceof HTMLElement && target.isConnected)) return focusPage()
      target.focus()
      focusPageWhenGone(target)
    },
  }
}

const focusPage = () => document.querySelector('main')?.focus()

/**
 * The command that a dialog asked about may remove the button that opened it, at once or with the next answer of the server. A browser
 * would then begin at the top of the page again.
 */
function focusPageWhenGone(focused: HTMLElement): void {
  const changes = new MutationObserver(() => {
    if (focused === document.activeElement) return
    changes.disconnect()
    if (!focused.isConnected && document.activeElement === document.body) focusPage()
  })
  changes.observe(document.body, { childList: true, subtree: true })
}
