import { routes } from 'virtual:routes'
import { useEffect, useState } from 'react'
import { useCall } from '../../lib/use-call.js'

/** How often the server is asked. It asks the provider when no event has come. */
const POLL_MS = 1_000
/** After this time the page says that the user may leave it. */
const PATIENCE_MS = 15_000

/** Waits until the server confirms that Premium is paid. */
export function useConfirmedPremium() {
  const { data } = useCall(routes.getSubscription, {}, { refreshInterval: POLL_MS })
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return { isConfirmed: data?.status === 'active', isSlow }
}
