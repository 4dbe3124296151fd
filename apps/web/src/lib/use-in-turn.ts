import { useEffect, useState } from 'react'

/**
 * Calls `handle` with items that are added, one call at a time. What is added during a call waits for the next one, which therefore sees what the
 * call before has changed.
 */
export function useInTurn<Item>(handle: (items: readonly Item[]) => Promise<void>) {
  const [waiting, setWaiting] = useState<readonly Item[]>([])
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (isBusy || waiting.length === 0) return
    setWaiting([])
    setBusy(true)
    void handle(waiting).finally(() => setBusy(false))
  })
  return { add: (items: readonly Item[]) => setWaiting(before => [...before, ...items]), isBusy }
}
