import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CONNECTIONS_OF } from '@holdfast/contracts/topology'
import { CONNECTIONS as dispute } from '@holdfast/dispute-svc/connections'
import { CONNECTIONS as escrow } from '@holdfast/escrow-svc/connections'
import { CONNECTIONS as gateway } from '@holdfast/gateway/connections'
import { CONNECTIONS as identity } from '@holdfast/identity-svc/connections'
import { CONNECTIONS as listing } from '@holdfast/listing-svc/connections'
import { CONNECTIONS as messaging } from '@holdfast/messaging-svc/connections'
import { sharesOfAll, sumOf } from '@holdfast/service-kit/database/connection-limits'
import { SERVER_SETTINGS } from '../dev/postgres.js'
import { MAX_REPLICAS, ROOT } from '../dev/settings.js'
import { OVERLAYS, podsOf, readDocuments, readYaml, variablesOf } from './manifests.js'

const CONNECTIONS = {
  gateway,
  'identity-svc': identity,
  'listing-svc': listing,
  'escrow-svc': escrow,
  'dispute-svc': dispute,
  'messaging-svc': messaging,
}
const SERVICES = /** @type {ServiceName[]} */ (Object.keys(CONNECTIONS))
/** PostgreSQL keeps these for superusers (superuser_reserved_connections). */
const RESERVED = 3
const PAGE = readFileSync(path.join(ROOT, 'docs/postgresql.md'), 'utf8')

const numberIn = text => Number(/max_connections ?= ?(\d+)/.exec(text)?.[1])
const ofCluster = numberIn(PAGE)
const [, , statefulSet] = readDocuments('overlays/local/postgres.yaml')
const SERVERS = {
  local: numberIn(statefulSet.spec.template.spec.containers[0].args.join(' ')),
  staging: ofCluster,
  production: ofCluster,
  'production-large': ofCluster,
}
/**
 * How many of each service there are.
 *
 * @typedef {import('@holdfast/contracts/topology').ServiceName} ServiceName
 * @param {(name: ServiceName) => number} countOf
 */
const replicas = countOf =>
  /** @type {Record<ServiceName, number>} */ (Object.fromEntries(SERVICES.map(name => [name, countOf(name)])))

/** The most connections of all pods of all services in an overlay, with those of its pooler. */
function connectionsIn(overlay) {
  const REPLICAS = replicas(name => podsOf(overlay, name))
  const POOLER_CONNECTIONS = Number(variablesOf(overlay, 'gateway').POOLER_CONNECTIONS ?? 0)
  return sumOf(sharesOfAll('gateway', CONNECTIONS.gateway, { REPLICAS, POOLER_CONNECTIONS }))
}

describe.each(OVERLAYS)('in the overlay %s', overlay => {
  const REPLICAS = replicas(name => podsOf(overlay, name))

  it.each(SERVICES)('%s knows how many of each service may run at the same time', name => {
    expect(JSON.parse(variablesOf(overlay, name).REPLICAS)).toEqual(REPLICAS)
  })

  it('the server takes the connections of all pods of all services', () => {
    expect(connectionsIn(overlay)).toBeLessThanOrEqual(SERVERS[overlay] - RESERVED)
  })
})

it('the page on PostgreSQL says how many connections a pooler saves in production', () => {
  const [all, pooled] = ['production', 'production-large'].map(overlay => connectionsIn(overlay).toLocaleString('en'))
  expect(PAGE).toContain(`needs ${pooled} connections in place of ${all}`)
})

it('the server of compose takes as many as that of the overlay it shares its settings with', () => {
  expect(numberIn(readYaml('docker-compose.yml').services.postgres.command.join(' '))).toBe(SERVERS.local)
})

it('the server of npm start takes the connections of the most replicas', () => {
  const REPLICAS = replicas(() => MAX_REPLICAS)
  const all = sumOf(sharesOfAll('gateway', CONNECTIONS.gateway, { REPLICAS }))
  expect(all).toBeLessThanOrEqual(Number(SERVER_SETTINGS.max_connections) - RESERVED)
})

it('the services know the connections of each other', () => {
  expect(CONNECTIONS_OF).toEqual(CONNECTIONS)
})

it.each(SERVICES)('the page on PostgreSQL says how many connections %s opens', name => {
  expect(PAGE).toContain(`| ${name} | ${CONNECTIONS[name]} |`)
})

/**
 * Where connections are opened, and what counts them. A new place belongs to this list and, when a service runs it, to the
 * CONNECTIONS of that service.
 */
const OPENERS = {
  'apps/escrow-svc/src/check-books.ts': 'a command',
  'apps/escrow-svc/src/deals/deals.module.ts': 'MONEY_CONNECTIONS',
  'apps/escrow-svc/src/reconcile.ts': 'a command',
  'apps/escrow-svc/src/reconcile-crypto.ts': 'a command',
  'apps/gateway/src/live/clock-connection.ts': 'CLOCK_CONNECTIONS',
  'apps/identity-svc/src/operator-command.ts': 'a command',
  'apps/identity-svc/src/sessions/session-verifier.ts': 'SESSION_CONNECTIONS',
  'apps/listing-svc/src/read-pool.module.ts': 'READ_POOL_SIZE',
  'libs/events/src/embedded/dead-letters.main.ts': 'a command',
  'libs/events/src/connection.ts': 'eventsPool',
  'libs/events/src/embedded/embedded-transport.ts': 'TRANSPORT_CONNECTIONS',
  'libs/events/src/embedded/log-listener.ts': 'TRANSPORT_CONNECTIONS',
  'libs/events/src/kafka/kafka-dead-letters.ts': 'less than TRANSPORT_CONNECTIONS, which are not opened with Kafka',
  'libs/events/src/outbox/relay.ts': 'EVENT_CONNECTIONS',
  'libs/service-kit/src/database/database.module.ts': 'POOL_SIZE',
  'libs/service-kit/src/database/migrations.ts': 'a migration',
  'libs/service-kit/src/database/pool.ts': 'createPool',
  'libs/timers/src/migrations.ts': 'a migration',
  'libs/timers/src/postgres-store.ts': 'TIMER_CONNECTIONS',
}
const OPENS = /new pg\.(Pool|Client)\(|new DataSource\(|\b(createPool|eventsPool)\(/

it('every place that opens a connection is counted', () => {
  const found = ['apps', 'libs']
    .flatMap(sourcesBelow)
    .filter(file => OPENS.test(readFileSync(path.join(ROOT, file), 'utf8')))
  expect(found.sort()).toEqual(Object.keys(OPENERS).sort())
})

function sourcesBelow(folder) {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return /^(node_modules|dist|test|test-database|testing|web)$/.test(entry.name) ? [] : sourcesBelow(file)
    return file.endsWith('.ts') && !file.endsWith('.spec.ts') ? [file] : []
  })
}
