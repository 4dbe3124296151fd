import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { collect } from '../billing/invoices.js'
import type { SubscriptionRecord } from '../billing/records.js'
import { renderSubscription } from '../billing/render.js'
import { charge, renew } from '../billing/subscriptions.js'
import { NO_CALL } from '../context.js'
import { type ControlApiOptions, ControlError, done, parseBody } from './control-request.js'

type ById = { Params: { id: string } }

/** `draft`: the invoice stays a draft, until its time has come or `charge` is called. */
const renewBody = z.strictObject({ draft: z.boolean().default(false) })
const failsBody = z.strictObject({ fails: z.union([z.boolean(), z.enum(['true', 'false'])]).default(true) })

/** Routes that move a subscription to its next renewal, charge its draft, let its card fail, and charge it again. */
export function subscriptionControl(app: FastifyInstance, options: ControlApiOptions): void {
  const { context } = options
  const { subscriptions, invoices } = context.state
  app.get('/subscriptions', async () =>
    subscriptions.newestFirst().map(each => ({ ...renderSubscription(context, each), fails: each.fails })),
  )
  app.post<ById>('/subscriptions/:id/renew', (request, reply) => {
    const { draft } = parseBody(renewBody, request.body)
    const subscription = find(request.params.id)
    if (subscription.status !== 'active')
      throw new ControlError(409, `This subscription is ${subscription.status}, not active.`)
    const invoice = renew(context, NO_CALL, subscription)
    if (invoice && !draft) charge(context, NO_CALL, invoice)
    return done(options, request, reply, renderSubscription(context, find(subscription.id)))
  })
  app.post<ById>('/subscriptions/:id/fail', (request, reply) => {
    const { fails } = parseBody(failsBody, request.body)
    const subscription = find(request.params.id)
    const changed = subscriptions.put({ ...subscription, fails: fails === true || fails === 'true' })
    return done(options, request, reply, renderSubscription(context, changed))
  })
  app.post<ById>('/subscriptions/:id/charge', (request, reply) => {
    const subscription = find(request.params.id)
    const invoice = invoices.get(subscription.latestInvoiceId)
    if (subscription.endedAt !== null || invoice?.status !== 'draft')
      throw new ControlError(409, 'This subscription has no draft to charge.')
    charge(context, NO_CALL, invoice)
    return done(options, request, reply, renderSubscription(context, find(subscription.id)))
  })
  app.post<ById>('/subscriptions/:id/retry', (request, reply) => {
    const subscription = find(request.params.id)
    const invoice = invoices.get(subscription.latestInvoiceId)
    if (subscription.status !== 'past_due' || invoice?.status !== 'open')
      throw new ControlError(409, 'This subscription has no invoice whose card was declined.')
    collect(context, NO_CALL, invoice)
    return done(options, request, reply, renderSubscription(context, find(subscription.id)))
  })

  function find(id: string): SubscriptionRecord {
    const subscription = subscriptions.get(id)
    if (!subscription) throw new ControlError(404, 'There is no such subscription.')
    return subscription
  }
}
