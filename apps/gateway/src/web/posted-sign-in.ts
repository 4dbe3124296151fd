import { pages } from '@holdfast/contracts/pages'
import type { FastifyInstance } from 'fastify'

/** More than any provider's answer has. */
const MAX_FORM_BYTES = 16_000
/** What the page needs of the answer (OAuth 2.0, 4.1.2); `user` is Apple's, with the person's name. */
const FIELDS = new Set(['code', 'state', 'error', 'user'])

/**
 * Takes the form that Apple makes the browser post, and leads to the page that finishes the sign-in, with the fields as its query. The
 * form comes from another site, so nothing is done for it here: the page sends it on with the secret that only its own tab has.
 */
export function takePostedSignIn(fastify: FastifyInstance): void {
  fastify.register(async scope => {
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_, body, done) => done(null, body),
    )
    scope.post<{ Body: string }>(pages.providerSignIn.path, (request, reply) => {
      const form = new URLSearchParams(request.body)
      const query = new URLSearchParams([...form].filter(([name]) => FIELDS.has(name)))
      return reply.header('cache-control', 'no-store').redirect(`${pages.providerSignIn.path}?${query}`, 303)
    })
  })
}
