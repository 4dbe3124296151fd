import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { isStatus } from '../lib/api.js'
import { isSigningOut } from '../lib/current-user.js'

/** How long an answer counts as fresh, and how often a failed question is asked again (spec section 7). */
const FRESH_MS = 5 * 60_000
const RETRIES = 1

/** The rules by which everything loaded from the server is kept fresh. */
export function ServerData({ children }: { children: ReactNode }) {
  return (
    <SWRConfig
      value={{
        dedupingInterval: FRESH_MS,
        errorRetryCount: RETRIES,
        errorRetryInterval: 1_000,
        isPaused: isSigningOut,
        // A refusal will be the same refusal a second later.
        shouldRetryOnError: error => !(isStatus(error, 404) || isStatus(error, 403) || isStatus(error, 401)),
      }}
    >
      {children}
    </SWRConfig>
  )
}
