import { useDeferredValue } from 'react'
import { useLocation } from './navigation.js'

/**
 * For what stands below the first screen: `before` at first, and the value once the first screen is drawn. It is drawn in
 * pieces, between which the browser can answer. After Back and Forward the value is there at once, because the browser scrolls
 * to where the reader was, and only as far as the page is high.
 */
export function useDrawnLater<Value>(value: Value, before: Value): Value {
  const { by } = useLocation()
  return useDeferredValue(value, by === 'history' ? value : before)
}
