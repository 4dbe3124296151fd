import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { flushRedis } from '../chaos/redis.js'
import { sendSignal } from '../dev/processes.js'
import { processNamed } from '../dev/product.js'
import { startReplica } from './replica.js'
import { SilentMember } from './silent-member.js'
import { USUAL_DAYS } from './world.js'

/** What people notice of any fault that makes requests fail. */
const ERRORS = ['GatewayErrors', 'ApiErrorBudgetBurnsFast', 'ApiErrorBudgetBurnsSlowly']

const GROUP = 'messaging-svc'
/** The topic whose events the load makes, and which the group reads. */
const TOPICS = ['escrow.transaction']
/** A member that is silent for ten seconds loses its partitions. */
const SESSION_OVER_MS = 15_000
const AHEAD_MS = 9_000
const SHIFTED_CLOCK = new URL('../chaos/shifted-clock.js', import.meta.url).href
/** A month that is long over, as the id of a master key. */
const OLD_KEY_ID = '2024-01'
/** As `RELAY_LOCK_CLASS` of libs/events/src/outbox/relay.ts. */
const RELAY_LOCK_CLASS = 740_101

/** @typedef {typeof FAULTS[number]} Fault */

/**
 * The faults, in an order in which those that make requests fail come last. `alert` must fire, and `follows` may. `inject` makes it go
 * wrong, and answers what heals it. `lacks` says why it cannot be injected here; null when it can.
 */
export const FAULTS = [
  {
    name: 'webhook secret wrong',
    alert: 'WebhooksRefused',
    follows: [],
    async inject({ load }) {
      const secret = load.webhookSecret
      load.webhookSecret = 'whsec_of_somebody_else'
      return async () => {
        load.webhookSecret = secret
      }
    },
  },
  {
    name: 'certificate about to expire',
    alert: 'CertificateExpiresNow',
    follows: ['CertificateExpiresSoon'],
    async inject({ tls }) {
      tls.serve(1)
      return async () => tls.serve(USUAL_DAYS)
    },
  },
  {
    name: 'key about to expire',
    alert: 'MasterKeyOld',
    follows: [],
    // Nobody of the load has an authenticator app, so nothing is encrypted with the key of this replica.
    inject: world =>
      startReplica(world, 'identity-svc', {
        env: { ENCRYPTION_KEYS: `${OLD_KEY_ID}:${randomBytes(32).toString('base64url')}` },
      }),
  },
  {
    name: 'full disk',
    alert: 'DiskFull',
    follows: [],
    lacks: ({ disk }) =>
      disk ? null : 'this user may not mount a small disk: it needs root, mkfs.ext4 and loop devices',
    async inject({ disk }) {
      disk.fill()
      return async () => disk.empty()
    },
  },
  {
    name: 'Redis flushed',
    alert: 'RedisFlushed',
    follows: [],
    async inject({ engines }) {
      await flushRedis(engines.environment.REDIS_URL)
      return async () => {}
    },
  },
  {
    name: 'imbalance by hand',
    alert: 'LedgerImbalance',
    follows: [],
    async inject({ database }) {
      const held = await database.query('SELECT max(id) AS id FROM escrow.transaction WHERE hold_minor > 0')
      // The table accepts only a hold of the price with the fees of the buyer.
      const add = minor =>
        database.query(
          'UPDATE escrow.transaction SET hold_minor = hold_minor + $2, price_minor = price_minor + $2 WHERE id = $1',
          [held.rows[0].id, minor],
        )
      await add(1)
      return async () => void (await add(-1))
    },
  },
  {
    name: 'clock skew',
    alert: 'ClockSkew',
    follows: [],
    inject: world =>
      startReplica(world, 'listing-svc', {
        env: { CLOCK_AHEAD_MS: String(AHEAD_MS) },
        nodeOptions: ['--import', SHIFTED_CLOCK],
      }),
  },
  {
    name: 'relay stuck',
    alert: 'OutboxStuck',
    follows: [],
    // As a replica that has hung while it relays: the lock is taken, and no event is published.
    async inject({ database }) {
      const session = await database.connect()
      await session.query('SELECT pg_advisory_lock($1, hashtext($2))', [RELAY_LOCK_CLASS, 'escrow'])
      return async () => {
        await session.query('SELECT pg_advisory_unlock($1, hashtext($2))', [RELAY_LOCK_CLASS, 'escrow'])
        session.release()
      }
    },
  },
  {
    name: 'consumer dead',
    alert: 'ConsumerStopped',
    follows: ['ConsumerLags'],
    // The process hangs for a moment. Another member leads the group from then on, keeps all partitions, and handles nothing.
    async inject({ product, engines }) {
      const member = new SilentMember(engines.environment.KAFKA_BROKERS, GROUP)
      const { pid } = processNamed(product.dataDir, GROUP)
      sendSignal(pid, 'SIGSTOP')
      try {
        await Promise.all([member.join(TOPICS), sleep(SESSION_OVER_MS)])
      } finally {
        sendSignal(pid, 'SIGCONT')
      }
      return () => member.leave()
    },
  },
  {
    name: 'lag',
    alert: 'ConsumerLags',
    follows: [],
    // One of two members handles nothing, so half of the partitions wait.
    async inject({ engines }) {
      const member = new SilentMember(engines.environment.KAFKA_BROKERS, GROUP)
      await member.join(TOPICS)
      return () => member.leave()
    },
  },
  {
    name: 'provider down',
    alert: 'PaymentProviderDown',
    follows: ERRORS,
    async inject({ product }) {
      const faults = `${product.sandboxUrl}/sandbox/faults`
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ kind: 'refuse', path: '/v1/', times: 10_000 })
      await expectOk(fetch(faults, { method: 'POST', headers, body }))
      return () => expectOk(fetch(faults, { method: 'DELETE' }))
    },
  },
  {
    name: 'slow database',
    alert: 'DatabaseSlow',
    follows: ['DatabasePoolWaits', ...ERRORS],
    // Whoever reads a listing reads its seller. What follows the events of deals does not, and goes on.
    async inject({ database }) {
      const session = await database.connect()
      await session.query('BEGIN')
      await session.query('LOCK TABLE listing.seller IN ACCESS EXCLUSIVE MODE')
      return async () => {
        await session.query('ROLLBACK')
        session.release()
      }
    },
  },
  {
    name: 'gateway errors',
    alert: 'GatewayErrors',
    follows: ERRORS,
    async inject({ database }) {
      await database.query('REVOKE SELECT ON listing.seller FROM listing_svc')
      return async () => void (await database.query('GRANT SELECT ON listing.seller TO listing_svc'))
    },
  },
]

async function expectOk(asked) {
  const answer = await asked
  if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}: ${await answer.text()}`)
}
