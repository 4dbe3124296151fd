// The series of the metrics on a calm day, for the tests of the alerts.

export const HOUR = 3600
export const DAY = 24 * HOUR
/** Prometheus scrapes and evaluates this often, in seconds (deploy/prometheus/prometheus.yaml). */
export const STEP_SECONDS = 15

const SERVICES = ['gateway', 'identity-svc', 'listing-svc', 'escrow-svc', 'dispute-svc', 'messaging-svc']
const CONSUMERS = ['identity-svc', 'listing-svc', 'escrow-svc', 'dispute-svc', 'messaging-svc']

export const labelled = (name, labels) =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`

// A counter grows by so much in a second. A gauge has a value, or one that depends on the seconds since something is wrong.
export const counter = perSecond => ({ perSecond })
export const gauge = value => ({ value })
/** The series does not exist. */
export const gone = { value: null }

const REQUESTS = 'http_server_request_duration_seconds'
export const browse = status =>
  labelled(`${REQUESTS}_count`, {
    service: 'gateway',
    http_request_method: 'GET',
    http_route: '/api/listings',
    http_response_status_code: status,
  })
export const probed = labelled(`${REQUESTS}_count`, {
  service: 'gateway',
  http_request_method: 'GET',
  http_route: '/readyz',
  http_response_status_code: '503',
})
const accept = { service: 'gateway', http_request_method: 'POST', http_route: '/api/transactions/:id/accept' }
export const accepted = labelled(`${REQUESTS}_count`, { ...accept, http_response_status_code: '200' })
export const acceptedFast = labelled(`${REQUESTS}_bucket`, { ...accept, http_response_status_code: '200', le: '0.25' })
export const target = service => labelled('up', { job: 'holdfast', service, instance: `${service}:9090` })
export const clock = service => labelled('clock_offset_seconds', { service })
export const pool = labelled('db_client_connection_pending_requests', {
  service: 'escrow-svc',
  db_client_connection_pool_name: 'direct',
})
const STATEMENTS = 'db_client_operation_duration_seconds'
const statements = labelled(`${STATEMENTS}_count`, { service: 'escrow-svc' })
export const fastStatements = labelled(`${STATEMENTS}_bucket`, { service: 'escrow-svc', le: '1' })
export const unmeasured = labelled('metrics_unmeasured_total', { service: 'escrow-svc', metric: 'ledger_imbalance' })
export const consumed = (group, outcome) => labelled('events_consumed_total', { service: group, group, outcome })
export const ofGroup = (name, group) => labelled(name, { service: group, group })
export const provider = (name, outcome) =>
  labelled('provider_request_duration_seconds_count', { service: 'escrow-svc', provider: name, outcome })
export const webhook = (sender, outcome) =>
  labelled('escrow_webhooks_total', { service: 'escrow-svc', sender, outcome })
export const overdue = clockName => labelled('escrow_overdue_seconds', { service: 'escrow-svc', clock: clockName })
export const stuck = kind => labelled('escrow_stuck', { service: 'escrow-svc', kind })
export const paymentsUnknown = labelled('payments_unknown', { service: 'escrow-svc' })
export const inDollars = name => labelled(name, { service: 'escrow-svc', currency: 'USD' })
export const brokenRules = labelled('ledger_broken_rules', { service: 'escrow-svc' })
export const booksChecked = labelled('ledger_books_checked_timestamp_seconds', { service: 'escrow-svc' })
export const forOperators = why => labelled('escrow_events_for_operators', { service: 'escrow-svc', why })
export const volume = what =>
  labelled(`kubelet_volume_stats_${what}_bytes`, { namespace: 'holdfast', persistentvolumeclaim: 'data-postgres-0' })
export const disk = what =>
  labelled(`node_filesystem_${what}_bytes`, {
    instance: 'node-1',
    mountpoint: '/',
    fstype: 'ext4',
    device: '/dev/vda1',
  })
export const timersQueue = labelled('timers_queue_usable', { service: 'escrow-svc', instance: 'escrow-svc:9090' })
export const redis = (name, labels = {}) => labelled(name, { instance: 'redis:6379', ...labels })
export const certificate = labelled('probe_ssl_earliest_cert_expiry', { instance: 'https://holdfast.example' })
export const masterKey = labelled('key_made_timestamp_seconds', {
  service: 'messaging-svc',
  setting: 'ENCRYPTION_KEYS',
  key: '1970-01',
})

/** The product on a calm day: 20 requests a second, one error in 5,000 of them, some events, some webhooks. */
export const CALM = {
  [browse('200')]: counter(20),
  [browse('404')]: counter(0.2),
  [browse('503')]: counter(0.004),
  [probed]: counter(0),
  [accepted]: counter(2),
  [acceptedFast]: counter(1.99),
  [pool]: gauge(0),
  [statements]: counter(80),
  [fastStatements]: counter(79.98),
  [unmeasured]: counter(0),
  [provider('stripe', 'ok')]: counter(0.5),
  [provider('stripe', 'refused')]: counter(0.02),
  [provider('stripe', 'failed')]: counter(0.002),
  [provider('stripe', 'no_answer')]: counter(0),
  [provider('coinify', 'ok')]: counter(0.05),
  [provider('coinify', 'failed')]: counter(0),
  [webhook('stripe', 'handled')]: counter(0.3),
  [webhook('stripe', 'signature_invalid')]: counter(0),
  [webhook('stripe', 'unsigned')]: counter(0.01),
  [webhook('stripe', 'failed')]: counter(0),
  [webhook('carrier', 'handled')]: counter(0.1),
  [webhook('carrier', 'signature_invalid')]: counter(0),
  [labelled('mail_oldest_waiting_seconds', { service: 'identity-svc' })]: gauge(4),
  [inDollars('ledger_imbalance')]: gauge(0),
  [inDollars('ledger_provider_difference')]: gauge(0),
  [brokenRules]: gauge(0),
  // promtool's time begins at zero.
  [booksChecked]: gauge(10 * DAY),
  [forOperators('unfitting')]: gauge(0),
  [forOperators('refund_of_ended_deal')]: gauge(0),
  [forOperators('refund_of_ended_deal_failed')]: gauge(0),
  [inDollars('ledger_unapplied')]: gauge(0),
  [overdue('inspection')]: gauge(2),
  [overdue('ship_by')]: gauge(0),
  [overdue('payment_window')]: gauge(30),
  [overdue('receive_by')]: gauge(7200),
  [stuck('payout_waits')]: gauge(0),
  [stuck('clock_overdue')]: gauge(0),
  [labelled('dispute_missing_disputes', { service: 'dispute-svc' })]: gauge(0),
  [labelled('dispute_escrow_wait_seconds', { service: 'dispute-svc', step: 'settling' })]: gauge(3),
  [labelled('escrow_refund_age_seconds', { service: 'escrow-svc', status: 'due' })]: gauge(20),
  [labelled('escrow_refund_age_seconds', { service: 'escrow-svc', status: 'sent' })]: gauge(5 * DAY),
  [paymentsUnknown]: gauge(0),
  [labelled('escrow_payout_age_seconds', { service: 'escrow-svc', status: 'in_transit' })]: gauge(7 * DAY),
  [labelled('escrow_chargeback_age_seconds', { service: 'escrow-svc', status: 'inquiry' })]: gauge(118 * DAY),
  [labelled('escrow_chargeback_age_seconds', { service: 'escrow-svc', status: 'open' })]: gauge(90 * DAY),
  [labelled('escrow_platform_account_ok', { service: 'escrow-svc' })]: gauge(1),
  [volume('available')]: gauge(60e9),
  [volume('capacity')]: gauge(100e9),
  [disk('avail')]: gauge(30e9),
  [disk('size')]: gauge(80e9),
  [timersQueue]: gauge(1),
  [redis('redis_db_keys', { db: 'db0' })]: gauge(40),
  [redis('redis_up')]: gauge(1),
  // Nobody has ever used the first of these commands. Somebody has used the second long ago.
  [redis('redis_commands_total', { cmd: 'flushall' })]: gone,
  [redis('redis_commands_total', { cmd: 'flushdb' })]: gauge(3),
  [certificate]: gauge(60 * DAY),
  [masterKey]: gauge(0),
  ...Object.fromEntries(
    SERVICES.flatMap(service => [
      [target(service), gauge(1)],
      [clock(service), gauge(0.02)],
    ]),
  ),
  ...Object.fromEntries(
    CONSUMERS.flatMap(group => [
      [consumed(group, 'handled'), counter(3)],
      [consumed(group, 'retried'), counter(0)],
      [consumed(group, 'dead_lettered'), counter(0)],
      // A scrape may meet events that have just arrived.
      [ofGroup('consumer_lag_events', group), gauge(1)],
      [ofGroup('consumer_lag_seconds', group), gauge(0.1)],
      [ofGroup('events_partition_waiting_seconds', group), gauge(0)],
      [labelled('outbox_oldest_seconds', { service: group }), gauge(0.1)],
    ]),
  ),
}
