import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { carrierApi } from './carrier/carrier-api.js'
import type { SandboxConfig } from './config.js'
import type { Context } from './context.js'
import { controlApi } from './control/control-api.js'
import { Faults } from './control/faults.js'
import { coinifyApi } from './crypto/coinify-api.js'
import { stripeApi } from './http/stripe-api.js'
import { LogDestination } from './log-destination.js'
import { MailServer } from './mail/mail-server.js'
import { pages } from './pages/pages.js'
import { settleDue } from './payments/due.js'
import { lookupIn } from './payments/lookup.js'
import { pushApi } from './push/push-api.js'
import { twilioApi } from './sms/twilio-api.js'
import { State } from './state/state.js'
import type { Store } from './state/store.js'
import { Deliveries } from './webhooks/deliveries.js'
import { closeConnections } from './webhooks/post.js'

const CLOCK_TICK_MS = 500
const DELIVERIES_DEADLINE_MS = 2_000

export interface Sandbox {
  readonly app: FastifyInstance
  readonly context: Context
  /** The address at which mails are taken; known once it listens. */
  readonly smtpUrl: () => string
  /** Listens; resolves with the origin. */
  listen(): Promise<string>
  /** Finishes running requests and deliveries, and closes all connections. */
  close(): Promise<void>
}

/** Creates the sandbox with the records that the store keeps. */
export async function createSandbox(
  config: SandboxConfig,
  store: Store,
  now: () => number = Date.now,
): Promise<Sandbox> {
  const app = Fastify({
    logger: config.logLevel !== 'silent' && {
      level: config.logLevel,
      base: { service: 'sandbox' },
      stream: new LogDestination(1),
    },
    // One line per call is written below, in place of Fastify's own two.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  })
  const state = await State.open(store)
  const context: Context = { config, state, now, origin: () => config.publicUrl ?? listeningAt(app) }
  const faults = new Faults()
  const deliveries = new Deliveries(context, app.log)
  const mailServer = new MailServer(mail => {
    state.mails.put(mail)
    return state.commit()
  })
  let smtpPort = 0
  decorate(app, config)
  await app.register(stripeApi, {
    prefix: '/v1',
    context,
    faults,
    openCalls: new Set<string>(),
    lookup: lookupIn(context),
  })
  await app.register(coinifyApi, { prefix: '/v1', context, faults })
  await app.register(carrierApi, { prefix: '/v2', context, faults })
  await app.register(pushApi, {
    prefix: '/push',
    store: {
      findBrowser: id => state.pushBrowsers.get(id) ?? null,
      keep: message => {
        state.pushMessages.put(message)
        return state.commit()
      },
    },
    faults,
    now,
  })
  if (config.twilioAccount)
    await app.register(twilioApi, {
      prefix: '/2010-04-01',
      account: config.twilioAccount,
      keep: sms => {
        state.texts.put(sms)
        return state.commit()
      },
      faults,
      now,
    })
  await app.register(controlApi, { prefix: '/sandbox', context, faults })
  await app.register(pages, { context })

  const clock = setInterval(() => {
    settleDue(context)
    state.commit().catch((error: unknown) => app.log.error({ err: error }, 'what came due could not be kept'))
  }, CLOCK_TICK_MS)
  return {
    app,
    context,
    smtpUrl: () => `smtp://${config.host}:${smtpPort}`,
    async listen() {
      smtpPort = await mailServer.listen(config.host, config.smtpPort)
      await app.listen({ host: config.host, port: config.port })
      deliveries.start()
      return listeningAt(app)
    },
    async close() {
      clearInterval(clock)
      await Promise.all([app.close(), mailServer.close(), deliveries.stop(DELIVERIES_DEADLINE_MS)])
      closeConnections()
      await state.close()
    },
  }
}

function decorate(app: FastifyInstance, config: SandboxConfig): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-holdfast-sandbox', '1')
  })
  app.addHook('onSend', async (_request, reply) => {
    // A kept-alive connection would delay the end of the process.
    if (closing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request
    request.log.info({ method, path: url.split('?')[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime) })
  })
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) =>
    reply.code(closing ? 503 : 200).send({ status: closing ? 'draining' : 'ok', checks: {}, livemode: false }),
  )
  app.log.debug({ webhook: config.stripeWebhook.url, carrierWebhook: config.carrierWebhook.url }, 'where events go')
}

function listeningAt(app: FastifyInstance): string {
  const address = app.server.address()
  return `http://localhost:${address !== null && typeof address === 'object' ? address.port : 0}`
}
