import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { createSandbox, type Sandbox } from '../src/app.js'
import type { SandboxConfig } from '../src/config.js'
import { MemoryStore } from '../src/state/memory-store.js'
import type { Store } from '../src/state/store.js'

export const SECRET_KEY = 'sk_test_sandbox'
export const PUBLISHABLE_KEY = 'pk_test_sandbox'
export const WEBHOOK_SECRET = 'whsec_sandbox'
export const CARRIER_KEY = 'carrier-key'
export const CARRIER_SECRET = 'carrier-secret'
export const COINIFY_KEY = 'sandbox_crypto-key'
export const COINIFY_SECRET = 'crypto-secret'
export const PRODUCT_ORIGIN = 'http://localhost:3000'

/** Much longer than any test here takes, so that a busy machine does not fail one. */
const WAIT_MS = 15_000
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A stand-in for the product's webhook address: keeps what it receives, and answers with the given statuses. */
export interface Receiver {
  readonly origin: string
  readonly received: Received[]
  /** Statuses of the next answers; 200 when there are none. */
  readonly answers: number[]
  types(): string[]
  close(): Promise<void>
}

export interface Running {
  readonly sandbox: Sandbox
  readonly origin: string
  readonly stripe: Stripe
  readonly receiver: Receiver
  /** A call of the sandbox's own API. */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  close(): Promise<void>
}

/** A whole sandbox on a free port with an empty store, or, given one, on what that store keeps. */
export async function startSandbox(
  more: Partial<SandboxConfig> & { receiver?: Receiver; store?: Store; now?: () => number } = {},
): Promise<Running> {
  const { receiver: given, store = new MemoryStore(), now, ...overrides } = more
  const receiver = given ?? (await startReceiver())
  const sandbox = await createSandbox({ ...configOf(receiver), ...overrides }, store, now)
  await sandbox.listen()
  const { port } = sandbox.app.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    sandbox,
    origin,
    stripe: stripeAt(port, SECRET_KEY),
    receiver,
    control: (method, path, body) => call(`${origin}/sandbox${path}`, method, body),
    async close() {
      await sandbox.close()
      if (!given) await receiver.close()
    },
  }
}

/** The provider's own SDK, pointed at the sandbox; it does not retry by itself, so that a test sees every answer. */
export function stripeAt(port: number, key: string, maxNetworkRetries = 0): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries, telemetry: false })
}

export function portOf(running: Running): number {
  return Number(new URL(running.origin).port)
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    types: () => received.map(each => typeOf(each.body)),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Waits until the condition holds. */
export async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('the condition did not become true in time')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** The error with which a call is refused. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error('the call was not refused')
}

async function call(url: string, method: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

function configOf(receiver: Receiver): SandboxConfig {
  return {
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    logLevel: 'silent',
    publicUrl: null,
    daySeconds: 86_400,
    allowedOrigins: [PRODUCT_ORIGIN],
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
    stripeWebhook: { url: `${receiver.origin}/stripe`, secret: WEBHOOK_SECRET },
    carrierKey: CARRIER_KEY,
    carrierWebhook: { url: `${receiver.origin}/carrier`, secret: CARRIER_SECRET },
    coinifyKey: COINIFY_KEY,
    coinifyWebhook: { url: `${receiver.origin}/coinify`, secret: COINIFY_SECRET },
    twilioAccount: null,
  }
}

function typeOf(body: string): string {
  const event = JSON.parse(body) as { type?: string; description?: string; event?: string }
  return event.type ?? event.description ?? event.event ?? ''
}
