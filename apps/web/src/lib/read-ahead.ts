import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import type { LightRoute } from '@holdfast/http-client/call'
import { mutate, SWRConfig, unstable_serialize } from 'swr'
import { request, requestPage } from './api.js'

type Key = readonly unknown[]

/** The answers that were asked ahead and not taken yet, by the text under which SWR keeps what has their key. */
const asked = new Map<string, { readonly key: Key; readonly answer: Promise<unknown> }>()

/**
 * Asks what a page will ask with `useCall`, before its code is there. The page takes the answer when it is shown. Does nothing when SWR has the
 * answer already, or waits for it.
 *
 * @param signal says that the page is not opened after all
 */
export const callAhead = <R extends RouteDefinition>(signal: AbortSignal, route: LightRoute<R>, input: Input<R>) =>
  askAhead<Output<R>>(signal, [route.path, input], () => request(route, input))

/** The same for the first page of what a page will ask with `usePages`. */
export const pagesAhead = <R extends RouteDefinition>(signal: AbortSignal, route: LightRoute<R>, input: Input<R>) =>
  askAhead(signal, [route.path, input, 'pages'], async () => [await requestPage(route, input)])

function askAhead<Answer>(signal: AbortSignal, key: Key, ask: () => Promise<Answer>): void {
  const name = unstable_serialize(key)
  const known = SWRConfig.defaultValue.cache.get(name)
  // The page shares a request that is under way, so nobody would take the answer to another one.
  if (known?.data !== undefined || known?.isValidating) return
  const answer = ask()
  // The page that takes the answer handles a failure. Without this the browser would report it as unhandled meanwhile.
  answer.catch(() => undefined)
  // It replaces an answer that nobody took, because the page broke: that one may be old.
  asked.set(name, { key, answer })
  signal.addEventListener('abort', () => asked.delete(name))
}

/** Takes the answer that was asked ahead: the next call gets undefined. Undefined also when nothing was asked ahead. */
export function takeAnswer<Answer>(key: Key): Promise<Answer> | undefined {
  const name = unstable_serialize(key)
  const taken = asked.get(name)
  asked.delete(name)
  return taken?.answer as Promise<Answer> | undefined
}

/** Forgets every answer that was asked ahead: another person must not get it. */
export const forgetAsked = () => asked.clear()

/** Asks again for everything shown whose key is stale, and forgets what was asked ahead of it. Resolves when the answers are there. */
export async function askAgain(isStale: (key: unknown) => boolean): Promise<void> {
  for (const [name, { key }] of asked) if (isStale(key)) asked.delete(name)
  await mutate(isStale)
}
