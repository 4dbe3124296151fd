import { routes } from 'virtual:routes'
import { useEffect, useState } from 'react'
import { refresh, useCall } from '../../lib/use-call.js'

/** How often the server is asked. It asks the provider when no event has come. */
const POLL_MS = 1_000
/** After this time the page says that the user may leave it. */
const PATIENCE_MS = 15_000
/** After this time it is not asked any more: a notification tells the user. */
const GIVE_UP_MS = 120_000

/** Waits until the server confirms that Premium is paid. */
export function useConfirmedPremium() {
  const { data } = useCall(routes.getSubscription, {})
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    // SWR's own interval would not ask while an answer to another page counts as fresh, which it does for minutes.
    void refresh(routes.getSubscription)
    const polling = setInterval(() => void refresh(routes.getSubscription), POLL_MS)
    const waiting = setTimeout(() => setSlow(true), PATIENCE_MS)
    const ending = setTimeout(() => clearInterval(polling), GIVE_UP_MS)
    return () => {
      clearInterval(polling)
      clearTimeout(waiting)
      clearTimeout(ending)
    }
  }, [])
  return { isConfirmed: data?.status === 'active', isSlow }
}
