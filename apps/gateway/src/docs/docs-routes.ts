import type { FastifyInstance, FastifyReply } from 'fastify'
import { DOCS_STYLE, docsPage } from './docs-page.js'
import { openApiOf } from './openapi.js'

const PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const CACHE = 'public, max-age=300'

/**
 * Serves the description of the API: `/api/openapi.json` for tools, `/api/docs` for readers. Both are made at the first
 * request, because most processes never get one.
 */
export function registerDocs(fastify: FastifyInstance, origin: string, cookieName: string): void {
  const api = once(() => openApiOf(origin, cookieName))
  const text = once(() => JSON.stringify(api()))
  const page = once(() => docsPage(api()))
  const answer = (reply: FastifyReply, type: string, body: string) =>
    reply.header('cache-control', CACHE).type(type).send(body)

  fastify.get('/api/openapi.json', (_, reply) => answer(reply, 'application/json; charset=utf-8', text()))
  fastify.get('/api/docs', (_, reply) => {
    reply.header('content-security-policy', PAGE_POLICY)
    return answer(reply, 'text/html; charset=utf-8', page())
  })
  fastify.get('/api/docs/style.css', (_, reply) => answer(reply, 'text/css; charset=utf-8', DOCS_STYLE))
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
