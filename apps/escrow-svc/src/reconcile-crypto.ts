/**
 * `node apps/escrow-svc/dist/reconcile-crypto.js <time> <address of the product> [<id of a withdrawal>…]`: as `reconcile.js`, with the crypto processor
 * (docs/runbooks/restore.md). It tells the running product how the payments since then have ended, and that the named withdrawals were sent. Then it
 * prints what an operator must act on. It writes nothing itself, and may be repeated. Uses DATABASE_URL, which must log in as the database's owner,
 * and the COINIFY variables of escrow-svc. Ends with status 1 when something was not accepted.
 */
import { paymentRoutes } from '@holdfast/contracts/payments'
import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'
import { configShape } from './config.js'
import type { ListedIntent } from './payments/crypto/coinify-objects.js'
import { CryptoProcessor } from './payments/crypto/crypto-processor.js'
import {
  announce,
  endsOf,
  refundsToLookFor,
  sendingOf,
  unknownPayments,
  unknownWithdrawals,
} from './payments/crypto/crypto-reconciliation.js'
import { readArguments, say, sayPosted } from './reconcile-command.js'

/** Networks take hours at worst to confirm a transfer. Payments that were open at the time are asked about by the service itself. */
const EARLIER_MS = 24 * 60 * 60_000

const list = (title: string, lines: readonly string[]) => {
  say(`${title}: ${lines.length}`)
  for (const line of lines) say(`  ${line}`)
}

const USAGE =
  'node apps/escrow-svc/dist/reconcile-crypto.js <time with its zone> <address of the product> [<id of a withdrawal>…]'
const { since, address, rest: withdrawals } = readArguments(USAGE, EARLIER_MS)

const { COINIFY_API_URL, COINIFY_API_KEY, COINIFY_WEBHOOK_SECRET } = configShape
const config = loadConfig({
  ...databaseShape,
  COINIFY_API_URL,
  // Whoever compares with the processor needs what the service may go without.
  COINIFY_API_KEY: COINIFY_API_KEY.unwrap(),
  COINIFY_WEBHOOK_SECRET: COINIFY_WEBHOOK_SECRET.unwrap(),
})
const processor = new CryptoProcessor(config)
const client = new pg.Client({ connectionString: config.DATABASE_URL, application_name: 'reconcile-crypto' })
await client.connect()
try {
  const intents: ListedIntent[] = []
  for await (const intent of processor.intentsSince(since)) intents.push(intent)
  const webhook = {
    url: new URL(paymentRoutes.coinifyWebhook.path, address).href,
    secret: config.COINIFY_WEBHOOK_SECRET[0]!,
  }
  const events = [...(await endsOf(client, intents)), ...withdrawals.map(sendingOf)]
  sayPosted(`Payments since ${since.toISOString()} and withdrawals`, await announce(events, webhook))
  list('Payments at the processor that are not in our books', await unknownPayments(client, intents))
  list('Withdrawals that are not in our books', await unknownWithdrawals(client, withdrawals))
  list('Refunds to look for at the processor, whose orders begin with their ids', await refundsToLookFor(client))
} finally {
  await client.end()
  await processor.onApplicationShutdown()
}
