import { routes } from 'virtual:routes'
import type { TrackingInfo } from '@holdfast/contracts/transactions'
import { MIN_TRACKING_LOOKUP_LENGTH, TRACKING_POLL_MS } from '@holdfast/kernel/tracking'
import useSWR from 'swr'
import type { z } from 'zod'
import { isStatus, request } from '../../lib/api.js'

export type Tracking = z.infer<typeof TrackingInfo>

/** A number that was just saved is known to the carrier within moments: until then it is asked for more often. */
const FIRST_POLL_MS = 15_000
const DEDUPING_MS = 2_000

/**
 * Where a parcel is, asked again every five minutes. Null while the carrier knows nothing of it, and for numbers too short
 * to be looked up (spec section 5).
 */
export function useTracking(trackingNumber: string) {
  const lookedUp = trackingNumber.length >= MIN_TRACKING_LOOKUP_LENGTH
  const params = { trackingNumber }
  const swr = useSWR<Tracking | null, Error>(
    lookedUp ? [routes.getTracking.path, { params }] : null,
    () =>
      request(routes.getTracking, { params }).catch((error: unknown) => {
        // Unknown to the carrier is an answer, and it is asked again; a failure would end the asking.
        if (isStatus(error, 404)) return null
        throw error
      }),
    { refreshInterval: latest => (latest ? TRACKING_POLL_MS : FIRST_POLL_MS), dedupingInterval: DEDUPING_MS },
  )
  return { ...swr, lookedUp }
}
