import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { z } from 'zod'

/** The sandbox's configuration, read once at the start. */
export interface SandboxConfig {
  readonly host: string
  readonly port: number
  /** Where mails are taken, over SMTP. */
  readonly smtpPort: number
  readonly logLevel: string
  /** The origin at which a browser reaches this process; null means "where it listens". */
  readonly publicUrl: string | null
  readonly daySeconds: number
  readonly allowedOrigins: readonly string[]
  readonly secretKey: string
  readonly publishableKey: string
  readonly stripeWebhook: WebhookTarget
  readonly carrierKey: string
  readonly carrierWebhook: WebhookTarget
  /** The login of the product as a customer of the text provider; null when no texts are taken. */
  readonly twilioAccount: { readonly sid: string; readonly token: string } | null
}

/** The configuration of the sandbox as a process: also where it keeps its state. */
export interface ProcessConfig extends SandboxConfig {
  readonly databaseUrl: string
}

/** Where events go and what signs them; without a url, events are recorded and not sent. */
export interface WebhookTarget {
  readonly url: string | null
  readonly secret: string
}

const origin = z.url({ protocol: /^https?$/ }).transform(text => new URL(text).origin)
const address = z.url({ protocol: /^https?$/ })

const environment = z
  .object({
    NODE_ENV: z.string().default('development'),
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(0).max(65_535),
    SMTP_PORT: z.coerce.number().int().min(0).max(65_535),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    STRIPE_PUBLIC_URL: origin.optional(),
    DAY_SECONDS: z.coerce.number().int().positive().default(REAL_DAY_SECONDS),
    ALLOWED_ORIGINS: z
      .string()
      .default('')
      .transform(text => text.split(',').flatMap(part => (part.trim() ? [part.trim()] : [])))
      .pipe(z.array(origin)),
    STRIPE_SECRET_KEY: z.string().regex(/^sk_test_\w+$/, 'must begin with sk_test_'),
    STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_test_\w+$/, 'must begin with pk_test_'),
    WEBHOOK_URL: address.optional(),
    STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_.+$/, 'must begin with whsec_'),
    CARRIER_API_KEY: z.string().min(8),
    CARRIER_WEBHOOK_URL: address.optional(),
    CARRIER_WEBHOOK_SECRET: z.string().min(8).optional(),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/)
      .optional(),
    TWILIO_AUTH_TOKEN: z.string().min(16).optional(),
  })
  .refine(env => env.NODE_ENV !== 'production', { path: ['NODE_ENV'], message: 'the sandbox never runs in production' })
  .refine(env => !env.CARRIER_WEBHOOK_URL || env.CARRIER_WEBHOOK_SECRET, {
    path: ['CARRIER_WEBHOOK_SECRET'],
    message: 'is needed when CARRIER_WEBHOOK_URL is set',
  })

/**
 * Reads the environment. An empty variable counts as unset.
 *
 * @throws Error with one message that names every bad variable and never its value
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): ProcessConfig {
  const result = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')))
  if (!result.success) {
    const faults = result.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The sandbox cannot start, its environment is not right. ${faults.join('; ')}`)
  }
  const value = result.data
  return {
    host: value.HOST,
    port: value.PORT,
    smtpPort: value.SMTP_PORT,
    logLevel: value.LOG_LEVEL,
    databaseUrl: value.DATABASE_URL,
    publicUrl: value.STRIPE_PUBLIC_URL ?? null,
    daySeconds: value.DAY_SECONDS,
    allowedOrigins: value.ALLOWED_ORIGINS,
    secretKey: value.STRIPE_SECRET_KEY,
    publishableKey: value.STRIPE_PUBLISHABLE_KEY,
    stripeWebhook: { url: value.WEBHOOK_URL ?? null, secret: value.STRIPE_WEBHOOK_SECRET },
    carrierKey: value.CARRIER_API_KEY,
    twilioAccount:
      value.TWILIO_ACCOUNT_SID && value.TWILIO_AUTH_TOKEN
        ? { sid: value.TWILIO_ACCOUNT_SID, token: value.TWILIO_AUTH_TOKEN }
        : null,
    carrierWebhook: { url: value.CARRIER_WEBHOOK_URL ?? null, secret: value.CARRIER_WEBHOOK_SECRET ?? '' },
  }
}
