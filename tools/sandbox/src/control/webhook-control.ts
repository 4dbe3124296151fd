import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { getIntent } from '../payments/payment-intents.js'
import { bodyOf } from '../webhooks/deliveries.js'
import { FORGERIES, forge } from '../webhooks/forge.js'
import { enqueueAgain } from '../webhooks/queue.js'
import type { DeliveryRecord } from '../webhooks/records.js'
import { type ControlApiOptions, ControlError, done, parseBody } from './control-request.js'
import { overviewOfDeliveries, overviewOfDelivery } from './overview.js'

const forgeBody = z.strictObject({ payment: z.string(), kind: z.enum(FORGERIES) })

type ById = { Params: { id: string } }

/** Routes for the webhooks to the product: list, resend, pause, forge. */
export function webhookControl(app: FastifyInstance, options: ControlApiOptions): void {
  const { context } = options
  app.get('/webhooks', async () => overviewOfDeliveries(context))
  app.get<ById>('/webhooks/:id/body', async (request, reply) => {
    const body = bodyOf(context, getDelivery(options, request.params.id))
    if (body === null) throw new ControlError(404, 'The event has been forgotten.')
    return reply.type('application/json').send(body)
  })
  app.post<ById>('/webhooks/:id/resend', (request, reply) => {
    const again = enqueueAgain(context, getDelivery(options, request.params.id))
    return done(options, request, reply, overviewOfDelivery(again))
  })
  app.post('/webhooks/pause', (request, reply) => {
    context.state.changeSettings({ webhooksPaused: true })
    return done(options, request, reply, context.state.settings)
  })
  app.post('/webhooks/resume', (request, reply) => {
    context.state.changeSettings({ webhooksPaused: false })
    return done(options, request, reply, context.state.settings)
  })
  app.post('/webhooks/forge', async (request, reply) => {
    const { payment, kind } = parseBody(forgeBody, request.body)
    const answer = await forge(context, getIntent(context, payment), kind)
    return done(options, request, reply, answer)
  })
}

function getDelivery(options: ControlApiOptions, id: string): DeliveryRecord {
  const delivery = options.context.state.deliveries.get(id)
  if (!delivery) throw new ControlError(404, 'There is no such delivery.')
  return delivery
}
