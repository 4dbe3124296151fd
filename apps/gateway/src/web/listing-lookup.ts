import { Listing, listingRoutes } from '@holdfast/contracts/listings'
import { ApiError } from '@holdfast/http-client/api-error'
import type { Caller } from '@holdfast/service-kit/auth/actor'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { ServiceCalls } from '../services/service-calls.js'

/** The longest wait for listing-svc. The page is then sent without the listing, and the app in it still runs. */
export const LOOKUP_TIMEOUT_MS = 500

const log = loggerOf('listing-lookup')

/**
 * Looks up the listing of a page on behalf of the user or visitor who opens it.
 *
 * @returns `absent` when it does not exist or the reader may not see it; `unknown` when listing-svc did not answer in time.
 * Never rejects.
 */
export async function lookUpListing(
  id: number,
  calls: ServiceCalls,
  identify: () => Caller | Promise<Caller>,
): Promise<Listing | 'absent' | 'unknown'> {
  const asked = askListing(id, calls, identify)
  return (await isDoneWithin(LOOKUP_TIMEOUT_MS, asked)) ? asked : 'unknown'
}

async function askListing(
  id: number,
  calls: ServiceCalls,
  identify: () => Caller | Promise<Caller>,
): Promise<Listing | 'absent' | 'unknown'> {
  try {
    const { actor, clientIp } = await identify()
    const context = { actor, clientIp, timeoutMs: LOOKUP_TIMEOUT_MS }
    const answer = await calls.call('listing-svc', listingRoutes.getListing, { params: { id: String(id) } }, context)
    // The page must be sent even when the answer does not match its contract.
    return Listing.parse(answer)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'absent'
    log.warn({ err: error, listingId: id }, 'a listing page is sent without its listing')
    return 'unknown'
  }
}
