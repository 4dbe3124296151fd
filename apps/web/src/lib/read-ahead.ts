import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import type { LightRoute } from '@holdfast/http-client/call'
import { SWRConfig, unstable_serialize } from 'swr'
import { request, requestPage } from './api.js'

/** What was asked ahead, by the name under which SWR keeps the answer. */
const asked = new Map<string, Promise<unknown>>()

/**
 * Asks what a page will ask with `useCall`, before its code is there. The page takes the answer when it is shown. Does nothing when the answer
 * is known already.
 *
 * @param signal says that the page is not opened after all
 */
export const callAhead = <R extends RouteDefinition>(signal: AbortSignal, route: LightRoute<R>, input: Input<R>) =>
  askAhead<Output<R>>(signal, [route.path, input], () => request(route, input))

/** The same for the first page of what a page will ask with `usePages`. */
export const pagesAhead = <R extends RouteDefinition>(signal: AbortSignal, route: LightRoute<R>, input: Input<R>) =>
  askAhead(signal, [route.path, input, 'pages'], async () => [await requestPage(route, input)])

function askAhead<Answer>(signal: AbortSignal, key: readonly unknown[], ask: () => Promise<Answer>): void {
  const name = unstable_serialize(key)
  if (asked.has(name) || SWRConfig.defaultValue.cache.get(name)?.data !== undefined) return
  const answer = ask()
  // Whoever takes the answer gets the failure. Without this the browser would report it as unhandled meanwhile.
  answer.catch(() => undefined)
  asked.set(name, answer)
  signal.addEventListener('abort', () => asked.delete(name))
}

/** The answer that was asked ahead, once; undefined without one. */
export function takeAnswer<Answer>(key: readonly unknown[]): Promise<Answer> | undefined {
  const name = unstable_serialize(key)
  const answer = asked.get(name)
  asked.delete(name)
  return answer as Promise<Answer> | undefined
}

/** Forgets what was asked ahead: another person must not get it. */
export const forgetAsked = () => asked.clear()
