import { POOLER_SESSIONS } from '@holdfast/engines/pgbouncer'
import type { Sandbox } from '@holdfast/sandbox/app'
import { startInMemory } from '@holdfast/sandbox/in-memory'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { testActorKeys } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { plan } from '../src/migrations/plan.js'

/** What the service shares with the sandbox. */
export const SECRETS = {
  STRIPE_SECRET_KEY: 'sk_test_escrow',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_escrow',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  CARRIER_API_KEY: 'carrier-api-key',
  CARRIER_WEBHOOK_SECRET: 'carrier-webhook-secret',
  COINIFY_API_KEY: 'sandbox_escrow-key',
  COINIFY_WEBHOOK_SECRET: 'coinify-webhook-secret',
}

/** The keys of the services that may call the escrow. */
export const ACTOR_KEYS = testActorKeys('escrow-svc', 'gateway', 'dispute-svc')

/** Addresses of proxies, to be used in place of the database's and the provider's own. */
export interface ProxyUrls {
  readonly databaseUrl?: string
  /** Given when `databaseUrl` is that of a pooler: the database's own. */
  readonly directUrl?: string
  readonly providerUrl?: string
}

/**
 * What an escrow-svc needs to run: a scratch database, and the sandbox as payment provider and carrier. They keep running when
 * the service is stopped or killed.
 */
export class Dependencies {
  constructor(
    readonly database: ScratchDatabase,
    readonly sandbox: Sandbox,
    readonly origin: string,
  ) {}

  static async start(): Promise<Dependencies> {
    const database = await ScratchDatabase.make(plan, { ...timersPlan, grants: timersGrants(['escrow_svc']) })
    const { sandbox, origin } = await startInMemory(SECRETS)
    return new Dependencies(database, sandbox, origin)
  }

  async stop(): Promise<void> {
    await this.sandbox.close()
    await this.database.drop()
  }

  databaseUrl(proxyUrls: ProxyUrls = {}): string {
    return proxyUrls.databaseUrl ?? this.database.url('escrow_svc')
  }

  /** The service's environment variables. */
  environment(proxyUrls: ProxyUrls = {}): Record<string, string> {
    return {
      NODE_ENV: 'test',
      PORT: '0',
      OPS_PORT: '0',
      LOG_LEVEL: 'info',
      ACTOR_KEYS,
      DATABASE_URL: this.databaseUrl(proxyUrls),
      ...this.database.environment,
      ...(proxyUrls.directUrl
        ? { DATABASE_DIRECT_URL: proxyUrls.directUrl, POOLER_CONNECTIONS: String(POOLER_SESSIONS) }
        : {}),
      STRIPE_API_URL: proxyUrls.providerUrl ?? this.origin,
      STRIPE_PUBLIC_URL: this.origin,
      CARRIER_API_URL: this.origin,
      COINIFY_API_URL: this.origin,
      ...SECRETS,
    }
  }

  /** The status of an intent at the provider, whether or not the escrow knows of it. */
  intentStatus(intent: string): string | undefined {
    return this.sandbox.context.state.intents.get(intent)?.status
  }

  /** Pays an intent at the provider, as the buyer's browser does. @returns the HTTP status and the intent's status */
  async confirmCard(intent: string, card = 'pm_card_visa'): Promise<{ http: number; status: string | undefined }> {
    const { http, body } = await this.callProvider('POST', `/v1/payment_intents/${intent}/confirm`, {
      payment_method: card,
    })
    return { http, status: body.status }
  }

  /** Calls one of the sandbox's own routes, such as `/settings` or `/payments/{id}/settle`. */
  async control(path: string, body: object = {}, method: 'POST' | 'DELETE' = 'POST'): Promise<void> {
    const response = await this.callControl(path, body, method)
    if (!response.ok) throw new Error(`the sandbox refused ${path}: ${response.status} ${await response.text()}`)
    await response.body?.cancel()
  }

  /** As `control`, for a step that the sandbox may refuse. @returns whether it was carried out */
  async tryControl(path: string, body: object): Promise<boolean> {
    const response = await this.callControl(path, body, 'POST')
    await response.body?.cancel()
    if (response.status >= 500) throw new Error(`the sandbox failed on ${path}: ${response.status}`)
    return response.ok
  }

  private callControl(path: string, body: object, method: 'POST' | 'DELETE'): Promise<Response> {
    const headers = { 'content-type': 'application/json' }
    return fetch(`${this.origin}/sandbox${path}`, { method, headers, body: JSON.stringify(body) })
  }

  private async callProvider(method: string, path: string, form: Record<string, string>) {
    const headers = { authorization: `Bearer ${SECRETS.STRIPE_SECRET_KEY}` }
    const response = await fetch(this.origin + path, { method, headers, body: new URLSearchParams(form) })
    return { http: response.status, body: (await response.json()) as { status?: string } }
  }
}
