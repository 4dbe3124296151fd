import type { FastifyInstance, FastifyRequest } from 'fastify'
import { decodeForm } from '../http/form.js'
import { isCalledByOwnName } from '../http/own-name.js'
import { StripeError } from '../http/stripe-error.js'
import { type ControlApiOptions, ControlError } from './control-request.js'
import { mailControl } from './mail-control.js'
import { parcelControl } from './parcel-control.js'
import { paymentControl } from './payment-control.js'
import { payoutControl } from './payout-control.js'
import { pushControl } from './push-control.js'
import { settingsControl } from './settings-control.js'
import { subscriptionControl } from './subscription-control.js'
import { webhookControl } from './webhook-control.js'

/** The sandbox's own API under `/sandbox`, for its page and for tests. It needs no sign-in: it never runs in production. */
export async function controlApi(app: FastifyInstance, options: ControlApiOptions): Promise<void> {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    // Form fields become the values that JSON callers send, so that the same schemas serve both.
    done(null, decodeForm(String(body)))
  })
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status >= 500) request.log.error({ err: error }, 'a move of the sandbox failed')
    return reply.code(status).send({ message: error instanceof Error ? error.message : String(error) })
  })
  app.addHook('onRequest', async request => {
    if (!isCalledByOwnName(options.context, request) || isFromAnotherSite(request)) {
      throw new ControlError(403, 'Only the sandbox’s own page may do this.')
    }
  })
  paymentControl(app, options)
  payoutControl(app, options)
  subscriptionControl(app, options)
  webhookControl(app, options)
  parcelControl(app, options)
  mailControl(app, options)
  pushControl(app, options)
  settingsControl(app, options)
}

/** Another site must not move money here through a form that a visitor's browser posts. */
function isFromAnotherSite({ method, headers }: FastifyRequest): boolean {
  const { origin, host } = headers
  if (method === 'GET') return false
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return true
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
}

function statusOf(error: unknown): number {
  if (error instanceof ControlError || error instanceof StripeError) return error.status
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
}
