/**
 * `node apps/escrow-svc/dist/reconcile.js <time> <address of the product>`: after a restore of the database to a time, sends the provider's
 * events since then to the running product once more, and prints the movements of our balance at the provider that our books do not have
 * (docs/runbooks/restore.md). It writes nothing itself, and may be repeated. Uses DATABASE_URL, which must log in as the database's owner, and
 * the STRIPE variables of escrow-svc. Ends with status 1 when an event was not accepted.
 */
import { paymentRoutes } from '@holdfast/contracts/payments'
import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'
import { configShape } from './config.js'
import { resendEvents } from './payments/resend-events.js'
import { lineOf, sumLines, unknownMovements } from './payments/unknown-movements.js'
import { stripeClient } from './provider/stripe-calls.js'
import { readArguments, say, sayPosted } from './reconcile-command.js'

/** The provider repeats an event that was refused for three days. So one from before the restored moment may have come after it. */
const EARLIER_MS = 3 * 24 * 60 * 60_000

const USAGE = 'node apps/escrow-svc/dist/reconcile.js <time with its zone> <address of the product>'
const { since, address } = readArguments(USAGE, EARLIER_MS)

const { STRIPE_API_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = configShape
const config = loadConfig({ ...databaseShape, STRIPE_API_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET })
const stripe = stripeClient(config)
const client = new pg.Client({ connectionString: config.DATABASE_URL, application_name: 'reconcile' })
await client.connect()
try {
  const webhook = {
    url: new URL(paymentRoutes.stripeWebhook.path, address).href,
    secret: config.STRIPE_WEBHOOK_SECRET[0]!,
  }
  sayPosted(`Events since ${since.toISOString()}`, await resendEvents(stripe, since, webhook))
  const movements = await unknownMovements(stripe, client, since)
  say(`Movements at the provider that are not in our books: ${movements.length}`)
  for (const line of [...movements.map(lineOf), ...sumLines(movements)]) say(line)
} finally {
  await client.end()
}
