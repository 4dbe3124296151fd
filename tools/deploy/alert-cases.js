// What each alert is tested with: what is different from a calm day when something is wrong. A case names every alert that fires and no
// other: all rules are evaluated on all series of a case.

import {
  accepted,
  acceptedFast,
  booksChecked,
  brokenRules,
  browse,
  certificate,
  clock,
  consumed,
  counter,
  DAY,
  disk,
  fastStatements,
  forOperators,
  gauge,
  gone,
  HOUR,
  inDollars,
  labelled,
  masterKey,
  ofGroup,
  overdue,
  paymentsUnknown,
  pool,
  probed,
  provider,
  redis,
  stuck,
  target,
  timersQueue,
  unmeasured,
  volume,
  webhook,
} from './calm-day.js'

/** Grows with the time since something is wrong. */
const growing = gauge(seconds => seconds)

/**
 * What goes wrong. `fires`: every alert that then fires. `after`: the seconds in which they do; two minutes for what must be noticed at
 * once. `calm`: the seconds before it, in which nothing fires; hours for what looks back for hours.
 */
export const CASES = [
  {
    title: 'a service behind the gateway is away, and half of the requests fail',
    series: { [browse('200')]: counter(10), [browse('503')]: counter(10) },
    fires: ['GatewayErrors', 'ApiErrorBudgetBurnsFast', 'ApiErrorBudgetBurnsSlowly'],
    calm: HOUR,
  },
  {
    title: 'one request in ten fails',
    series: { [browse('200')]: counter(18), [browse('503')]: counter(2) },
    fires: ['GatewayErrors'],
    calm: HOUR,
  },
  {
    title: 'one request in a hundred fails, for hours',
    series: { [browse('503')]: counter(0.2) },
    fires: ['ApiErrorBudgetBurnsSlowly'],
    calm: 2 * HOUR,
    after: 4 * HOUR,
  },
  {
    title: 'replicas that boot answer their probes with 503',
    series: { [probed]: counter(5) },
    fires: [],
  },
  {
    title: 'three requests fail in a quiet night',
    series: {
      [browse('200')]: counter(0.1),
      [browse('503')]: counter(0.02),
      [accepted]: counter(0),
      [acceptedFast]: counter(0),
    },
    fires: [],
  },
  {
    title: 'half of the commands that move money are slow',
    series: { [acceptedFast]: counter(1) },
    fires: ['MoneyCommandsSlow', 'MoneyCommandsSlowForHours'],
    calm: HOUR,
    after: 20 * 60,
  },
  {
    title: 'one command in ten is slow, for hours',
    series: { [acceptedFast]: counter(1.8) },
    fires: ['MoneyCommandsSlowForHours'],
    calm: 2 * HOUR,
    after: 4 * HOUR,
  },
  { title: 'a replica does not answer', series: { [target('escrow-svc')]: gauge(0) }, fires: ['TargetDown'] },
  {
    title: 'a service has no replica',
    series: { [target('dispute-svc')]: gone },
    fires: ['ServiceMissing'],
    after: 6.5 * 60,
  },
  { title: 'a metric cannot be measured', series: { [unmeasured]: counter(1 / 15) }, fires: ['MetricUnmeasured'] },
  { title: 'a clock is ahead', series: { [clock('listing-svc')]: gauge(9) }, fires: ['ClockSkew'] },
  { title: 'a clock is behind', series: { [clock('escrow-svc')]: gauge(-4) }, fires: ['ClockSkew'] },
  {
    title: 'the database is slow, and one statement in twenty waits for a lock',
    series: { [fastStatements]: counter(76) },
    fires: ['DatabaseSlow'],
  },
  { title: 'queries wait for connections', series: { [pool]: gauge(12) }, fires: ['DatabasePoolWaits'] },
  {
    title: 'queries wait for a moment',
    series: { [pool]: gauge(seconds => (seconds % 60 === 0 ? 5 : 0)) },
    fires: [],
  },
  { title: 'the volume of the database is full', series: { [volume('available')]: gauge(0) }, fires: ['DiskFull'] },
  { title: 'the disk of a machine is full', series: { [disk('avail')]: gauge(1e9) }, fires: ['DiskFull'] },
  {
    title: 'a volume fills up in three days',
    series: { [volume('available')]: gauge(seconds => 39e9 - (seconds / (3 * DAY)) * 39e9) },
    fires: ['DiskFillsUp'],
    calm: 0,
    after: 2 * HOUR,
  },
  { title: 'Redis is away', series: { [timersQueue]: gauge(0) }, fires: ['RedisDown'] },
  {
    title: 'Redis is flushed',
    series: { [redis('redis_commands_total', { cmd: 'flushall' })]: gauge(1) },
    fires: ['RedisFlushed'],
  },
  {
    title: 'the exporter does not reach a Redis for a moment that was flushed long ago',
    series: {
      [redis('redis_up')]: gauge(seconds => (seconds < 45 ? 0 : 1)),
      [redis('redis_commands_total', { cmd: 'flushdb' })]: gauge(seconds => (seconds < 45 ? 'stale' : 3)),
    },
    fires: [],
  },
  {
    title: 'Redis comes back without its data',
    series: { [redis('redis_db_keys', { db: 'db0' })]: gauge(0) },
    fires: ['RedisFlushed'],
  },
  {
    title: 'a certificate was not renewed',
    series: { [certificate]: gauge(10 * DAY) },
    fires: ['CertificateExpiresSoon'],
  },
  {
    title: 'a certificate expires tomorrow',
    series: { [certificate]: gauge(DAY) },
    fires: ['CertificateExpiresSoon', 'CertificateExpiresNow'],
  },
  {
    title: 'a master key is eleven months old',
    series: { [masterKey]: gauge(-336 * DAY) },
    fires: ['MasterKeyOld'],
  },
  {
    title: 'the relay of a service is stuck',
    series: { [labelled('outbox_oldest_seconds', { service: 'escrow-svc' })]: growing },
    fires: ['OutboxStuck'],
  },
  {
    title: 'a consumer is dead',
    series: {
      [consumed('messaging-svc', 'handled')]: counter(0),
      [ofGroup('consumer_lag_events', 'messaging-svc')]: gauge(seconds => 3 * seconds + 1),
      [ofGroup('consumer_lag_seconds', 'messaging-svc')]: growing,
    },
    fires: ['ConsumerStopped', 'ConsumerLags'],
  },
  {
    title: 'events arrive faster than they are handled',
    series: {
      [ofGroup('consumer_lag_events', 'messaging-svc')]: gauge(seconds => 20 * seconds),
      [ofGroup('consumer_lag_seconds', 'messaging-svc')]: growing,
    },
    fires: ['ConsumerLags'],
  },
  {
    title: 'one event blocks its partition',
    series: {
      [consumed('listing-svc', 'retried')]: counter(1 / 30),
      [ofGroup('events_partition_waiting_seconds', 'listing-svc')]: growing,
    },
    fires: ['PartitionWaits'],
    after: 150,
  },
  {
    title: 'an event becomes a dead letter',
    series: { [consumed('listing-svc', 'dead_lettered')]: gauge(1) },
    fires: ['DeadLetters'],
  },
  {
    title: 'the mail server takes no mails',
    series: { [labelled('mail_oldest_waiting_seconds', { service: 'identity-svc' })]: growing },
    fires: ['MailsStuck'],
    after: 17 * 60,
  },
  {
    title: 'somebody changes the ledger by hand',
    series: { [inDollars('ledger_imbalance')]: gauge(-1) },
    fires: ['LedgerImbalance'],
  },
  {
    title: 'the provider has less of our money than our books say',
    series: { [inDollars('ledger_provider_difference')]: gauge(700) },
    fires: ['ProviderDifference'],
  },
  {
    title: 'the daily check finds that the books are wrong',
    series: { [brokenRules]: gauge(1) },
    fires: ['BooksWrong'],
  },
  {
    title: 'the books have not been checked for more than a day',
    series: { [booksChecked]: gauge(-37 * HOUR) },
    fires: ['BooksNotChecked'],
  },
  {
    title: 'a payment of Premium was refunded at the provider',
    series: { [forOperators('unfitting')]: gauge(1) },
    fires: ['EventsForOperators'],
  },
  { title: 'clocks do not end', series: { [overdue('inspection')]: growing }, fires: ['DealsOverdue'] },
  {
    title: 'the carrier has not answered for more than a day',
    series: { [overdue('receive_by')]: gauge(26 * HOUR) },
    fires: ['DealsWaitForAnAnswer'],
  },
  {
    title: 'a payment has no outcome',
    series: { [paymentsUnknown]: gauge(1) },
    fires: ['PaymentsUnknown'],
  },
  {
    title: 'a payout is not carried out',
    series: { [stuck('payout_waits')]: gauge(1) },
    fires: ['MoneyStuck'],
  },
  {
    title: 'a payout does not arrive',
    series: {
      [labelled('escrow_payout_age_seconds', { service: 'escrow-svc', status: 'in_transit' })]: gauge(11 * DAY),
    },
    fires: ['PayoutsPending'],
  },
  {
    title: 'a deal is stopped without a dispute',
    series: { [labelled('dispute_missing_disputes', { service: 'dispute-svc' })]: gauge(1) },
    fires: ['DisputedWithoutDispute'],
    after: 3 * 60,
  },
  {
    title: 'a ruling is not posted',
    series: { [labelled('dispute_escrow_wait_seconds', { service: 'dispute-svc', step: 'settling' })]: growing },
    fires: ['DisputesWaitForEscrow'],
    after: 11 * 60,
  },
  {
    title: 'a refund is not sent',
    series: { [labelled('escrow_refund_age_seconds', { service: 'escrow-svc', status: 'due' })]: growing },
    fires: ['RefundsNotSent'],
    after: HOUR + 60,
  },
  {
    title: 'a refund waits at the provider',
    series: { [labelled('escrow_refund_age_seconds', { service: 'escrow-svc', status: 'sent' })]: growing },
    fires: ['RefundsPending'],
    after: 7 * DAY + 60,
  },
  {
    title: 'a bank has not decided about a chargeback for more than a hundred days',
    series: {
      [labelled('escrow_chargeback_age_seconds', { service: 'escrow-svc', status: 'open' })]: gauge(101 * DAY),
    },
    fires: ['ChargebackUndecided'],
  },
  {
    title: 'an inquiry of a bank was not closed',
    series: {
      [labelled('escrow_chargeback_age_seconds', { service: 'escrow-svc', status: 'inquiry' })]: gauge(126 * DAY),
    },
    fires: ['ChargebackUndecided'],
  },
  {
    title: 'the money of a stray payment does not go back',
    series: { [inDollars('ledger_unapplied')]: gauge(10_150) },
    fires: ['StrayMoney'],
    after: 24 * HOUR + 20 * 60,
  },
  {
    title: 'the payment provider does not answer',
    series: { [provider('stripe', 'ok')]: counter(0), [provider('stripe', 'no_answer')]: counter(0.2) },
    fires: ['PaymentProviderDown'],
  },
  {
    title: 'the crypto processor answers with errors',
    series: { [provider('coinify', 'ok')]: counter(0), [provider('coinify', 'failed')]: counter(0.05) },
    fires: ['ProviderDown'],
    after: 4 * 60,
  },
  {
    title: 'the key at the provider is of another account',
    series: { [labelled('escrow_platform_account_ok', { service: 'escrow-svc' })]: gauge(0) },
    fires: ['PlatformAccountUnknown'],
  },
  {
    title: 'the secret of the webhooks is wrong',
    series: { [webhook('stripe', 'handled')]: counter(0), [webhook('stripe', 'signature_invalid')]: counter(0.1) },
    fires: ['WebhooksRefused'],
  },
  {
    title: 'the secret of one of two webhooks of a sender is wrong',
    series: { [webhook('stripe', 'signature_invalid')]: counter(0.05) },
    fires: ['WebhooksRefused'],
  },
  {
    title: 'scanners send webhooks without a signature, and somebody forges one',
    series: { [webhook('stripe', 'unsigned')]: counter(2), [webhook('carrier', 'signature_invalid')]: gauge(1) },
    fires: [],
  },
  {
    title: 'webhooks cannot be handled',
    series: { [webhook('stripe', 'failed')]: counter(0.05) },
    fires: ['WebhooksFail'],
    after: 4 * 60,
  },
]
