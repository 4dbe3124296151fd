import type { Input, RouteDefinition } from '@holdfast/contracts/route'
import { urlOf } from '@holdfast/http-client/call'
import type { FastifyReply } from 'fastify'

/**
 * The value of a `Link` header with the next page of a list (RFC 8288). It has no host, because a client resolves it against
 * the address that it called, which is the gateway's.
 *
 * @param input the client's input for the next page; `undefined` is left out, arrays repeat the parameter
 */
export const nextLink = <R extends RouteDefinition>(route: R, input: Input<R>): string =>
  `<${urlOf(route.path, input)}>; rel="next"`

/**
 * Adds the link to the next page when this page is full. The next one may be empty.
 *
 * @param inputAfter makes the input for the next page from the last row of this one
 */
export function linkFullPage<R extends RouteDefinition, Row>(
  { reply }: { readonly reply: Pick<FastifyReply, 'header'> },
  route: R,
  { page, limit }: { readonly page: readonly Row[]; readonly limit: number },
  inputAfter: (last: Row) => Input<R>,
): void {
  const last = page.at(-1)
  if (last !== undefined && page.length === limit) reply.header('link', nextLink(route, inputAfter(last)))
}
