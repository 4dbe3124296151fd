import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { createSandbox, type Sandbox } from './app.js'
import { MemoryStore } from './state/memory-store.js'

/** What a service shares with its payment provider and its carrier, by the names of the environment variables. */
export interface SharedSecrets {
  readonly STRIPE_SECRET_KEY: string
  readonly STRIPE_PUBLISHABLE_KEY: string
  readonly STRIPE_WEBHOOK_SECRET: string
  readonly CARRIER_API_KEY: string
  readonly CARRIER_WEBHOOK_SECRET: string
}

/**
 * Starts a sandbox for a test: in the test's own process, on a free port, with its state in memory. It records its events and
 * sends none. Resolves when it listens, with its origin.
 */
export async function startInMemory(secrets: SharedSecrets): Promise<{ sandbox: Sandbox; origin: string }> {
  const config = {
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    logLevel: 'silent',
    publicUrl: null,
    daySeconds: REAL_DAY_SECONDS,
    allowedOrigins: [],
    secretKey: secrets.STRIPE_SECRET_KEY,
    publishableKey: secrets.STRIPE_PUBLISHABLE_KEY,
    stripeWebhook: { url: null, secret: secrets.STRIPE_WEBHOOK_SECRET },
    carrierKey: secrets.CARRIER_API_KEY,
    carrierWebhook: { url: null, secret: secrets.CARRIER_WEBHOOK_SECRET },
    twilioAccount: null,
  }
  const sandbox = await createSandbox(config, new MemoryStore())
  return { sandbox, origin: await sandbox.listen() }
}
