import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import type { LightRoute } from '@holdfast/http-client/call'
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr'
import { request } from './api.js'
import { askAgain, takeAnswer } from './read-ahead.js'

/** How long an answer counts as fresh where `refreshInterval` asks again. */
const POLL_DEDUPING_MS = 500

/**
 * What a route answers, kept fresh (5 minutes, one retry; see `app/server-data.tsx`). The key is `[route.path, input]`, so
 * every component that asks the same shares one request.
 *
 * @param input null asks nothing yet
 */
export function useCall<R extends RouteDefinition>(
  route: LightRoute<R>,
  input: Input<R> | null,
  config: SWRConfiguration<Output<R>> = {},
): SWRResponse<Output<R>, Error> {
  const key = input && [route.path, input]
  return useSWR<Output<R>, Error>(key, () => (key && takeAnswer(key)) ?? request(route, input as Input<R>), {
    // SWR drops the requests of a refresh interval as well while the last answer counts as fresh.
    ...(config.refreshInterval && { dedupingInterval: POLL_DEDUPING_MS }),
    ...config,
  })
}

/** Whether a call has been answered, or has failed: what it shows takes its place on the page then. */
export const isAnswered = ({ data, error }: Pick<SWRResponse, 'data' | 'error'>): boolean =>
  data !== undefined || error !== undefined

/** Asks again for everything shown of these routes, whatever its input: after something changed. */
export async function refresh(...routes: readonly { readonly path: string }[]): Promise<void> {
  const changed = new Set(routes.map(route => route.path))
  await askAgain(key => Array.isArray(key) && changed.has(key[0]))
}
