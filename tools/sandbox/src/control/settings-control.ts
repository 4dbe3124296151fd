import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type ControlDoor, ControlError, done, parseBody } from './control-door.js'
import { faultInput } from './faults.js'

const MAX_DUPLICATES = 5
const MAX_DELAY_MS = 10 * 60 * 1000
const MAX_LATENCY_MS = 30_000

/** From a form a switch comes as text, or not at all. */
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

/** How the sandbox behaves, what goes wrong next, and the way back to nothing. */
export function settingsControl(app: FastifyInstance, door: ControlDoor): void {
  const { context, faults } = door
  app.get('/settings', async () => context.state.settings)
  app.post('/settings', (request, reply) => {
    const wish = parseBody(settingsBody, request.body)
    context.state.changeSettings(Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)))
    return done(door, request, reply, context.state.settings)
  })
  app.get('/faults', async () => faults.list())
  app.post('/faults', (request, reply) => {
    const fault = faults.add(parseBody(faultInput, request.body))
    if (!fault) throw new ControlError(409, 'Too many faults wait already.')
    return done(door, request, reply.code(201), fault)
  })
  app.delete('/faults', (request, reply) => {
    faults.clear()
    return done(door, request, reply, [])
  })
  app.post('/reset', (request, reply) => {
    context.state.clear()
    faults.clear()
    return done(door, request, reply, { reset: true })
  })
}
