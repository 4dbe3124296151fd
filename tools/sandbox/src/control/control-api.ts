import type { FastifyInstance, FastifyRequest } from 'fastify'
import { decodeForm } from '../http/form.js'
import { isCalledByOwnName } from '../http/own-name.js'
import { StripeError } from '../http/stripe-error.js'
import { type ControlDoor, ControlError } from './control-door.js'
import { parcelControl } from './parcel-control.js'
import { paymentControl } from './payment-control.js'
import { settingsControl } from './settings-control.js'
import { webhookControl } from './webhook-control.js'

/** The sandbox's own moves under `/sandbox`, for its page and for tests. Nobody signs in: it runs at home only. */
export async function controlApi(app: FastifyInstance, door: ControlDoor): Promise<void> {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    // Values are what JSON callers would send, so that both meet the same schemas.
    done(null, decodeForm(String(body)))
  })
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status >= 500) request.log.error({ err: error }, 'a move of the sandbox failed')
    return reply.code(status).send({ message: error instanceof Error ? error.message : String(error) })
  })
  app.addHook('onRequest', async request => {
    if (!isCalledByOwnName(door.context, request) || isFromAnotherSite(request)) {
      throw new ControlError(403, 'Only the sandbox’s own page may do this.')
    }
  })
  paymentControl(app, door)
  webhookControl(app, door)
  parcelControl(app, door)
  settingsControl(app, door)
}

/** A page elsewhere must not move money here by making a visitor's browser post a form. */
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
