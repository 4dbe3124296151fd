import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { newBrowser, subscriptionOf } from '../push/browsers.js'
import { type ControlApiOptions, ControlError } from './control-request.js'

type ById = { Params: { id: string } }
const subscribeBody = z.strictObject({ serverKey: z.string().min(1).max(200) })

/** Browsers that subscribe to push messages, and what they and phones have shown, for tests. */
export function pushControl(app: FastifyInstance, { context }: ControlApiOptions): void {
  const { state, config } = context
  app.post('/push', async (request, reply) => {
    const browser = newBrowser(subscribeBody.parse(request.body).serverKey)
    state.pushBrowsers.put(browser)
    await state.commit()
    return reply.code(201).send({
      id: browser.id,
      ...subscriptionOf(browser, `http://127.0.0.1:${request.socket.localPort ?? config.port}`),
    })
  })
  app.delete<ById>('/push/:id', async (request, reply) => {
    const browser = state.pushBrowsers.get(request.params.id)
    if (!browser) throw new ControlError(404, 'There is no such browser.')
    state.pushBrowsers.put({ ...browser, isGone: true })
    await state.commit()
    return reply.code(204).send()
  })
  app.get('/texts', async () => state.texts.newestFirst())
  app.get('/push', async () => state.pushMessages.newestFirst())
}
