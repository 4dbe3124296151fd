import pg from 'pg'
import { flush } from '../chaos/faults.js'
import { fill } from './disk.js'
import { startExtraReplica } from './extra-replica.js'
import { takeAllPartitions } from './idle-member.js'

/** Beyond two seconds an alert fires; beyond five the replica would not be ready. */
const SKEW_SECONDS = 4
const RELAY_LOCK_CLASS = 740_101
/** People see that something does not work, and the month's allowance of errors shrinks. */
const ERRORS = ['GatewayErrors', 'ApiErrorBudgetBurnsFast', 'ApiErrorBudgetBurnsSlowly']
const BUDGETS = ERRORS.slice(1)

/**
 * The faults, in their order. `alert` must fire within two minutes. `also` may fire, because it says a true thing about the same fault.
 * `inject` gets the world of run.js, and answers what ends the fault. What does not end without a trace comes last.
 */
export const FAULTS = [
  {
    name: 'gateway-errors',
    what: 'a right of listing-svc in the database is missing, and its pages answer 500',
    alert: 'GatewayErrors',
    also: BUDGETS,
    inject: async ({ database }) => {
      await database.query('REVOKE SELECT ON listing.listing FROM listing_svc')
      return () => database.query('GRANT SELECT ON listing.listing TO listing_svc')
    },
  },
  {
    name: 'slow-database',
    what: 'a forgotten session holds a table of listing-svc',
    alert: 'DatabaseSlow',
    also: [...ERRORS, 'DatabasePoolWaits', 'MetricUnmeasured'],
    inject: world => inSession(world, 'BEGIN; LOCK TABLE listing.listing IN ACCESS EXCLUSIVE MODE'),
  },
  {
    name: 'full-disk',
    what: 'a disk of the machine is full',
    alert: 'DiskFull',
    also: [],
    inject: async ({ disk }) => fill(disk),
  },
  {
    name: 'relay-stuck',
    what: 'a replica that hangs holds the relay of the events of escrow-svc',
    alert: 'OutboxStuck',
    also: [],
    inject: world => inSession(world, `SELECT pg_advisory_lock(${RELAY_LOCK_CLASS}, hashtext('escrow'))`),
  },
  {
    name: 'consumer-dead',
    what: 'a member of the group of messaging-svc has all partitions and handles nothing',
    alert: 'ConsumerStopped',
    also: ['ConsumerLags'],
    inject: ({ dataDir, broker }) => takeAllPartitions({ broker, group: 'messaging-svc', dataDir }),
  },
  {
    name: 'lag',
    what: 'the handlers of messaging-svc fail on all events, since nothing can be stored',
    alert: 'ConsumerLags',
    also: ['PartitionWaits'],
    inject: async ({ database }) => {
      await database.query(`CREATE FUNCTION messaging.no_room() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
      await database.query(
        'CREATE TRIGGER no_room BEFORE INSERT ON messaging.inbox FOR EACH STATEMENT EXECUTE FUNCTION messaging.no_room()',
      )
      return () => database.query('DROP FUNCTION messaging.no_room CASCADE')
    },
  },
  {
    name: 'redis-flushed',
    what: 'somebody empties Redis',
    alert: 'RedisFlushed',
    also: [],
    inject: async ({ redisUrl }) => {
      await flush(redisUrl)
      return () => {}
    },
  },
  {
    name: 'provider-down',
    what: 'the payment provider answers every request with an error',
    alert: 'PaymentProviderDown',
    also: [...BUDGETS, 'PlatformAccountUnknown'],
    inject: async ({ sandboxUrl }) => {
      const faults = (method, body) =>
        fetch(`${sandboxUrl}/sandbox/faults`, {
          method,
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        }).then(answer => {
          if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`)
        })
      await faults('POST', { kind: 'error', path: '/v1/', times: 10_000 })
      return () => faults('DELETE')
    },
  },
  {
    name: 'webhook-secret',
    what: 'the payment provider signs its webhooks with another secret',
    alert: 'WebhooksRefused',
    also: [],
    inject: async ({ load }) => {
      load.signWith('whsec_another')
      return () => load.signWith(load.rightSecret)
    },
  },
  {
    name: 'clock-skew',
    what: `the clock of a replica of listing-svc is ${SKEW_SECONDS} s ahead`,
    alert: 'ClockSkew',
    also: [],
    inject: world => startExtraReplica(world, 'listing-svc', () => ({ SKEW_SECONDS: String(SKEW_SECONDS) })),
  },
  {
    name: 'imbalance',
    what: 'somebody changes by hand what a deal holds',
    alert: 'LedgerImbalance',
    also: [],
    inject: async ({ database, untouchedDeal }) => {
      const change = by =>
        database.query('UPDATE escrow.transaction SET hold_minor = hold_minor + $2 WHERE id = $1', [untouchedDeal, by])
      await change(1)
      return () => change(-1)
    },
  },
  {
    name: 'certificate',
    what: 'the certificate of the public address expires tomorrow',
    alert: 'CertificateExpiresNow',
    also: ['CertificateExpiresSoon'],
    inject: async ({ certificate }) => {
      certificate.expireIn(1)
      return () => certificate.expireIn(60)
    },
  },
  {
    name: 'old-key',
    what: 'the master key of a replica of identity-svc is two years old',
    alert: 'MasterKeyOld',
    also: [],
    inject: world =>
      startExtraReplica(world, 'identity-svc', ({ ENCRYPTION_KEYS }) => {
        const key = ENCRYPTION_KEYS.split(':')[1]
        const month = new Date(Date.now() - 2 * 365 * 24 * 3600 * 1000).toISOString().slice(0, 7)
        return { ENCRYPTION_KEYS: `${month}:${key},${ENCRYPTION_KEYS}` }
      }),
  },
]

/** Runs SQL in a session of its own, which ends with the fault. */
async function inSession({ databaseUrl }, sql) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(sql)
  return () => client.end()
}
