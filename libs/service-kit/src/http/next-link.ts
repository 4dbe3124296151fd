import type { Input, RouteDefinition } from '@holdfast/contracts/route'
import { urlOf } from '@holdfast/http-client/call'

/**
 * The value of a `Link` header with the next page of a list (RFC 8288). It has no host, because a client resolves it against
 * the address that it called, which is the gateway's.
 *
 * @param input the client's input for the next page; `undefined` is left out, arrays repeat the parameter
 */
export const nextLink = <R extends RouteDefinition>(route: R, input: Input<R>): string =>
  `<${urlOf(route.path, input)}>; rel="next"`
