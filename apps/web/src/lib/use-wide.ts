import { useSyncExternalStore } from 'react'

/** The `lg` breakpoint of `tokens.css`. */
const WIDE = '(min-width: 64rem)'

/** Whether the window is wide enough for two columns. For behaviour only: layout belongs into CSS. */
export function useWide(): boolean {
  return useSyncExternalStore(
    listener => {
      const query = window.matchMedia(WIDE)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => window.matchMedia(WIDE).matches,
  )
}
