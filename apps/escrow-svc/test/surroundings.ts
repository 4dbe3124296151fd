import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { createSandbox, type Sandbox } from '@holdfast/sandbox/app'
import { MemoryStore } from '@holdfast/sandbox/state/memory-store'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { testActorKeys } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { plan } from '../src/migrations/plan.js'

export const SECRET_KEY = 'sk_test_escrow'
export const WEBHOOK_SECRET = 'whsec_0123456789abcdef'
export const CARRIER_SECRET = 'carrier-webhook-secret'
const PUBLISHABLE_KEY = 'pk_test_escrow'
const CARRIER_KEY = 'carrier-api-key'

/** Which services may call the escrow, with their keys. */
export const ACTOR_KEYS = testActorKeys('escrow-svc', 'gateway', 'dispute-svc')

/** Other addresses for the same things: a proxy in front of each, say. */
export interface Detours {
  readonly databaseUrl?: string
  readonly providerUrl?: string
}

/** What the escrow lives on: a scratch database, and the sandbox for its provider and carrier. They outlive the service. */
export class Surroundings {
  private constructor(
    readonly database: ScratchDatabase,
    readonly sandbox: Sandbox,
    readonly origin: string,
  ) {}

  static async start(): Promise<Surroundings> {
    const database = await ScratchDatabase.make(plan, { ...timersPlan, grants: timersGrants(['escrow_svc']) })
    const config = {
      host: '127.0.0.1',
      port: 0,
      logLevel: 'silent',
      publicUrl: null,
      daySeconds: REAL_DAY_SECONDS,
      allowedOrigins: [],
      secretKey: SECRET_KEY,
      publishableKey: PUBLISHABLE_KEY,
      stripeWebhook: { url: null, secret: WEBHOOK_SECRET },
      carrierKey: CARRIER_KEY,
      carrierWebhook: { url: null, secret: CARRIER_SECRET },
    }
    const sandbox = await createSandbox(config, new MemoryStore())
    return new Surroundings(database, sandbox, await sandbox.listen())
  }

  async stop(): Promise<void> {
    await this.sandbox.close()
    await this.database.drop()
  }

  databaseUrl(detours: Detours = {}): string {
    return detours.databaseUrl ?? this.database.url('escrow_svc')
  }

  /** The environment that the service reads. */
  environment(detours: Detours = {}): Record<string, string> {
    return {
      NODE_ENV: 'test',
      PORT: '0',
      OPS_PORT: '0',
      LOG_LEVEL: 'info',
      ACTOR_KEYS,
      DATABASE_URL: this.databaseUrl(detours),
      STRIPE_API_URL: detours.providerUrl ?? this.origin,
      STRIPE_PUBLIC_URL: this.origin,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      CARRIER_API_URL: this.origin,
      CARRIER_API_KEY: CARRIER_KEY,
      CARRIER_WEBHOOK_SECRET: CARRIER_SECRET,
    }
  }

  /** What the provider really has, whatever anybody was told. */
  intentStatus(intent: string): string | undefined {
    return this.sandbox.context.state.intents.get(intent)?.status
  }

  /** Pays at the provider, as the buyer's browser does. @returns the HTTP status and the intent's state */
  async confirmCard(intent: string, card = 'pm_card_visa'): Promise<{ http: number; status: string | undefined }> {
    const { http, body } = await this.askProvider('POST', `/v1/payment_intents/${intent}/confirm`, {
      payment_method: card,
    })
    return { http, status: body.status }
  }

  /** A move of the sandbox's own, such as `/settings` or `/payments/{id}/settle`. */
  async control(path: string, body: object = {}): Promise<void> {
    const response = await fetch(`${this.origin}/sandbox${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`the sandbox refused ${path}: ${response.status} ${await response.text()}`)
    await response.body?.cancel()
  }

  private async askProvider(method: string, path: string, form: Record<string, string>) {
    const headers = { authorization: `Bearer ${SECRET_KEY}` }
    const response = await fetch(this.origin + path, { method, headers, body: new URLSearchParams(form) })
    return { http: response.status, body: (await response.json()) as { status?: string } }
  }
}
