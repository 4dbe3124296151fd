import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type ControlApiOptions, ControlError, done, parseBody } from './control-request.js'
import { faultInput } from './faults.js'

const MAX_DUPLICATES = 5
const MAX_DELAY_MS = 10 * 60 * 1000
const MAX_LATENCY_MS = 30_000

/** A form sends a switch as text, or leaves it out. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')]).optional()

const settingsBody = z.strictObject({
  webhooksPaused: flag,
  webhookDuplicates: z.coerce.number().int().min(0).max(MAX_DUPLICATES).optional(),
  webhooksShuffled: flag,
  webhookDelayMs: z.coerce.number().int().min(0).max(MAX_DELAY_MS).optional(),
  cards: z.enum(['at_once', 'by_hand']).optional(),
  refunds: z.enum(['at_once', 'by_hand']).optional(),
  latencyMs: z.coerce.number().int().min(0).max(MAX_LATENCY_MS).optional(),
})

/** Routes for the sandbox's settings and faults, and the reset. */
export function settingsControl(app: FastifyInstance, options: ControlApiOptions): void {
  const { context, faults } = options
  app.get('/settings', async () => context.state.settings)
  app.post('/settings', (request, reply) => {
    const wanted = parseBody(settingsBody, request.body)
    context.state.changeSettings(Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)))
    return done(options, request, reply, context.state.settings)
  })
  app.get('/faults', async () => faults.list())
  app.post('/faults', (request, reply) => {
    const fault = faults.add(parseBody(faultInput, request.body))
    if (!fault) throw new ControlError(409, 'Too many faults wait already.')
    return done(options, request, reply.code(201), fault)
  })
  app.delete('/faults', (request, reply) => {
    faults.clear()
    return done(options, request, reply, [])
  })
  app.post('/reset', (request, reply) => {
    context.state.clear()
    faults.clear()
    return done(options, request, reply, { reset: true })
  })
}
