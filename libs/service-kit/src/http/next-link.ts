import type { Input, RouteDefinition } from '@holdfast/contracts/route'
import { urlOf } from '@holdfast/http-client/call'

/**
 * The value of a `Link` header that leads to the next page of a list (RFC 8288). It has no host: a client resolves it
 * against the address it called, so it is right behind the gateway.
 *
 * @param input what a client would give to ask for that page; `undefined` is left out, arrays repeat
 */
export const nextLink = <R extends RouteDefinition>(route: R, input: Input<R>): string =>
  `<${urlOf(route.path, input)}>; rel="next"`
