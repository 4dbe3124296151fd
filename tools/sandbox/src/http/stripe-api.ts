import type { FastifyInstance } from 'fastify'
import { billingRoutes } from '../billing/routes.js'
import { connectRoutes } from '../connect/routes.js'
import { customerRoutes } from '../payments/customer-routes.js'
import { eventRoutes } from '../payments/event-routes.js'
import { intentRoutes } from '../payments/intent-routes.js'
import { methodRoutes } from '../payments/method-routes.js'
import { moneyRoutes } from '../payments/money-routes.js'
import { setupRoutes } from '../payments/setup-routes.js'
import { answerWithError, type StripeApiOptions } from './stripe-endpoint.js'
import { StripeError } from './stripe-error.js'

const MAX_BODY_BYTES = 64 * 1024
const PREFLIGHT_SECONDS = '600'

/** The provider's API under `/v1`: form bodies in, JSON out, and open to the product's own pages. */
export async function stripeApi(app: FastifyInstance, options: StripeApiOptions): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler((error, request, reply) => {
    const known = asStripeError(error)
    if (known.status >= 500) request.log.error({ err: error }, 'a call to the provider failed')
    const answer = answerWithError(known)
    return reply.code(answer.status).headers(answer.headers).type('application/json').send(answer.body)
  })
  app.setNotFoundHandler((request, reply) => {
    const message = `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}). This sandbox serves what the product needs of https://docs.stripe.com/api.`
    const answer = answerWithError(new StripeError(404, { type: 'invalid_request_error', message }))
    return reply.code(answer.status).type('application/json').send(answer.body)
  })
  openToProduct(app, options.context.config.allowedOrigins)
  intentRoutes(app, options)
  methodRoutes(app, options)
  moneyRoutes(app, options)
  customerRoutes(app, options)
  setupRoutes(app, options)
  billingRoutes(app, options)
  connectRoutes(app, options)
  eventRoutes(app, options)
}

/** A page of another origin may neither read an answer nor make a call: browsers send form posts without a preflight. */
function openToProduct(app: FastifyInstance, allowed: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (!origin) return
    reply.header('vary', 'Origin')
    if (!allowed.includes(origin)) {
      const answer = answerWithError(StripeError.forbidden(`The origin ${origin} may not use this sandbox.`))
      return reply.code(answer.status).type('application/json').send(answer.body)
    }
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Request-Id, Idempotent-Replayed, X-Holdfast-Sandbox',
    })
  })
  app.options('/*', async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
        'access-control-max-age': PREFLIGHT_SECONDS,
      })
      .send(),
  )
}

function asStripeError(error: unknown): StripeError {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) {
    const message = error instanceof Error ? error.message : 'Invalid request'
    return new StripeError(status, { type: 'invalid_request_error', message })
  }
  return new StripeError(500, { type: 'api_error', message: 'Sorry, something went wrong in the sandbox.' })
}
