// What Grafana's dashboards show. `dashboards.js` makes them.

/** A panel with the lines of its queries: `[query, legend]` each. `unit` is one of Grafana's. */
const lines = (title, unit, ...queries) => ({ type: 'timeseries', title, unit, queries, width: 8 })
/**
 * A panel with one number for each series. It is red from `bad` on, or below `good` when that is given.
 *
 * @param {string} title
 * @param {string} unit
 * @param {string} query
 * @param {{ legend?: string, bad?: number, good?: number }} options
 */
const number = (title, unit, query, { legend = '', bad = 1, good } = {}) => ({
  type: 'stat',
  title,
  unit,
  queries: [[query, legend]],
  width: 4,
  thresholds:
    good === undefined
      ? [
          { color: 'green', value: null },
          { color: 'red', value: bad },
        ]
      : [
          { color: 'red', value: null },
          { color: 'green', value: good },
        ],
})
const heading = title => ({ type: 'row', title })

const quantile = (q, metric, by, filter = '') =>
  `histogram_quantile(${q}, sum by (le${by ? `, ${by}` : ''}) (rate(${metric}_bucket${filter}[$__rate_interval])))`
const rate = (metric, by, filter = '') => `sum by (${by}) (rate(${metric}${filter}[$__rate_interval]))`

/** The histogram of all answers. */
export const REQUESTS = 'http_server_request_duration_seconds'
const OF_SERVICE = '{service=~"$service"}'
const ANSWERS = '{service=~"$service", http_route!~"/(readyz|healthz|metrics)"}'
const ERRORS = '{service=~"$service", http_route!~"/(readyz|healthz|metrics)", http_response_status_code=~"5.."}'

/** The dashboards by name. `service`: it shows the services that its reader chooses. */
export const PAGES = {
  'on-call': {
    title: 'Holdfast: on call',
    panels: [
      {
        type: 'alertlist',
        title: 'Alerts that fire',
        width: 12,
        options: { stateFilter: { firing: true }, viewMode: 'list' },
      },
      lines('Alerts by severity', 'short', [
        'count by (severity, alertname) (ALERTS{alertstate="firing"})',
        '{{severity}}: {{alertname}}',
      ]),
      number('Replicas that answer', 'short', 'sum(up{job="holdfast"})', { good: 1 }),
      heading('What people notice'),
      number('Error budget used in 6 h', 'percentunit', 'gateway:api_errors:ratio_rate6h * 6 / (0.001 * 720)', {
        bad: 0.05,
      }),
      lines(
        'Burn rate of errors (14.4 is a page)',
        'short',
        ['gateway:api_errors:ratio_rate5m / 0.001', '5 minutes'],
        ['gateway:api_errors:ratio_rate1h / 0.001', '1 hour'],
        ['gateway:api_errors:ratio_rate6h / 0.001', '6 hours'],
      ),
      lines(
        'Burn rate of slow money commands (14.4 is a page)',
        'short',
        ['gateway:money_commands_slow:ratio_rate5m / 0.01', '5 minutes'],
        ['gateway:money_commands_slow:ratio_rate1h / 0.01', '1 hour'],
        ['gateway:money_commands_slow:ratio_rate6h / 0.01', '6 hours'],
      ),
      number('Requests of the API', 'reqps', 'gateway:api_requests:rate5m', { good: 0.001 }),
      heading('The money'),
      number('Ledger imbalance', 'short', 'max by (currency) (abs(ledger_imbalance))', { legend: '{{currency}}' }),
      number('Provider difference', 'short', 'max by (currency) (abs(ledger_provider_difference))', {
        legend: '{{currency}}',
      }),
      number('Oldest overdue clock', 's', 'max by (clock) (escrow_overdue_seconds)', { legend: '{{clock}}', bad: 90 }),
      number('Stuck', 'short', 'max by (kind) (escrow_stuck) > 0', { legend: '{{kind}}' }),
      number('Payments without an outcome', 'short', 'max(payments_unknown)'),
      number('Stopped without a dispute', 'short', 'max(dispute_missing_disputes)'),
      number(
        'Webhooks refused in an hour',
        'short',
        'sum by (sender) (increase(escrow_webhooks_total{outcome="signature_invalid"}[1h]))',
        { legend: '{{sender}}', bad: 0.5 },
      ),
      heading('What may be the cause'),
      lines('Queries that wait for a connection', 'short', [
        'max by (service, db_client_connection_pool_name) (db_client_connection_pending_requests)',
        '{{service}} {{db_client_connection_pool_name}}',
      ]),
      lines('Requests that a service did not answer', 'reqps', [
        rate('gateway_upstream_failures_total', 'service, outcome'),
        '{{service}} {{outcome}}',
      ]),
      lines('Requests to providers that fail', 'reqps', [
        rate('provider_request_duration_seconds_count', 'provider, outcome', '{outcome=~"failed|no_answer"}'),
        '{{provider}} {{outcome}}',
      ]),
      lines('Age of the outbox', 's', ['max by (service) (outbox_oldest_seconds)', '{{service}}']),
      lines('Age of the oldest event that waits', 's', ['max by (group) (consumer_lag_seconds)', '{{group}}']),
      lines('Clocks', 's', ['clock_offset_seconds', '{{service}} {{pod}}']),
      lines('Space left on volumes', 'percentunit', [
        'kubelet_volume_stats_available_bytes / kubelet_volume_stats_capacity_bytes',
        '{{persistentvolumeclaim}}',
      ]),
      lines('Metrics that cannot be measured', 'short', [
        rate('metrics_unmeasured_total', 'service, metric'),
        '{{service}} {{metric}}',
      ]),
      lines('Spans that the collector has taken, or that are lost', 'cps', [
        rate('telemetry_exported_spans_total', 'service, outcome'),
        '{{service}} {{outcome}}',
      ]),
    ],
  },
  'golden-signals': {
    title: 'Holdfast: golden signals of a service',
    service: true,
    panels: [
      heading('Traffic and errors'),
      lines('Requests', 'reqps', [rate(`${REQUESTS}_count`, 'service', ANSWERS), '{{service}}']),
      lines('Answers by status', 'reqps', [
        rate(`${REQUESTS}_count`, 'http_response_status_code', OF_SERVICE),
        '{{http_response_status_code}}',
      ]),
      lines('Share of errors (5xx)', 'percentunit', [
        `${rate(`${REQUESTS}_count`, 'service', ERRORS)} / ${rate(`${REQUESTS}_count`, 'service', ANSWERS)}`,
        '{{service}}',
      ]),
      heading('Time'),
      lines(
        'Time of an answer',
        's',
        [quantile(0.5, REQUESTS, 'service', OF_SERVICE), '{{service}} median'],
        [quantile(0.95, REQUESTS, 'service', OF_SERVICE), '{{service}} 95 %'],
        [quantile(0.99, REQUESTS, 'service', OF_SERVICE), '{{service}} 99 %'],
      ),
      lines('The slowest routes (95 %)', 's', [
        `topk(10, ${quantile(0.95, REQUESTS, 'http_request_method, http_route', OF_SERVICE)})`,
        '{{http_request_method}} {{http_route}}',
      ]),
      lines('Routes with errors', 'reqps', [
        `topk(10, ${rate(`${REQUESTS}_count`, 'http_route, http_response_status_code', ERRORS)})`,
        '{{http_route}} {{http_response_status_code}}',
      ]),
      heading('Saturation'),
      lines('Processor', 'percentunit', [
        `rate(process_cpu_seconds_total${OF_SERVICE}[$__rate_interval])`,
        '{{service}} {{pod}}',
      ]),
      lines('Memory', 'bytes', [`process_resident_memory_bytes${OF_SERVICE}`, '{{service}} {{pod}}']),
      lines('Delay of the event loop (99 %)', 's', [
        `nodejs_eventloop_lag_p99_seconds${OF_SERVICE}`,
        '{{service}} {{pod}}',
      ]),
      lines('Connections of the pools', 'short', [
        `sum by (db_client_connection_pool_name, db_client_connection_state) (db_client_connection_count${OF_SERVICE})`,
        '{{db_client_connection_pool_name}} {{db_client_connection_state}}',
      ]),
      lines(
        'Time of a statement',
        's',
        [quantile(0.5, 'db_client_operation_duration_seconds', 'service', OF_SERVICE), '{{service}} median'],
        [quantile(0.99, 'db_client_operation_duration_seconds', 'service', OF_SERVICE), '{{service}} 99 %'],
      ),
      lines('Queries that wait for a connection', 'short', [
        `sum by (db_client_connection_pool_name) (db_client_connection_pending_requests${OF_SERVICE})`,
        '{{db_client_connection_pool_name}}',
      ]),
      lines('Wait for a shared statement (99 %)', 's', [
        quantile(0.99, 'db_batch_wait_seconds', 'batch', OF_SERVICE),
        '{{batch}}',
      ]),
      lines('Calls in a shared statement (mean)', 'short', [
        `${rate('db_batch_calls_sum', 'batch', OF_SERVICE)} / ${rate('db_batch_calls_count', 'batch', OF_SERVICE)}`,
        '{{batch}}',
      ]),
      lines(
        'Requests under way, and refused because too many were',
        'short',
        [`sum by (service) (http_requests_under_way${OF_SERVICE})`, '{{service}} under way'],
        [`sum by (service) (increase(http_requests_shed_total${OF_SERVICE}[5m]))`, '{{service}} refused in 5 minutes'],
        [
          `sum by (service) (increase(gateway_requests_shed_total${OF_SERVICE}[5m]))`,
          '{{service}} refused in 5 minutes',
        ],
      ),
      heading('Between the gateway and the services'),
      lines('Wait for a shared exchange (99 %)', 's', [
        quantile(0.99, 'gateway_batch_wait_seconds', 'service'),
        '{{service}}',
      ]),
      lines('Requests in a shared exchange (mean)', 'short', [
        `${rate('gateway_batch_requests_sum', 'service')} / ${rate('gateway_batch_requests_count', 'service')}`,
        '{{service}}',
      ]),
      lines('Requests without an answer', 'reqps', [
        rate('gateway_upstream_failures_total', 'service, outcome'),
        '{{service}} {{outcome}}',
      ]),
      lines('Requests sent again because a replica hung', 'reqps', [
        rate('gateway_requests_sent_again_total', 'service'),
        '{{service}}',
      ]),
      lines('Open streams of live events', 'short', ['sum by (pod) (gateway_live_streams)', '{{pod}}']),
    ],
  },
  money: {
    title: 'Holdfast: the money',
    panels: [
      heading('The books, in minor units'),
      lines('Deals less ledger', 'short', ['max by (currency) (ledger_imbalance)', '{{currency}}']),
      lines('Our books less the provider’s', 'short', [
        'max by (currency) (ledger_provider_difference)',
        '{{currency}}',
      ]),
      lines('Money that no deal takes', 'short', ['max by (currency) (ledger_unapplied)', '{{currency}}']),
      lines('Rules of the books that do not hold', 'short', ['max(ledger_broken_rules)', 'rules']),
      lines('Since the books were checked', 's', ['time() - max(ledger_books_checked_timestamp_seconds)', 'time']),
      heading('What does not go on'),
      lines('Cases of /admin/stuck', 'short', ['max by (kind) (escrow_stuck)', '{{kind}}']),
      lines('Payments without an outcome for an hour', 'short', ['max(payments_unknown)', 'payments']),
      lines('Oldest overdue clock', 's', ['max by (clock) (escrow_overdue_seconds)', '{{clock}}']),
      lines('Deals stopped without a dispute', 'short', ['max(dispute_missing_disputes)', 'deals']),
      lines('Disputes that wait for escrow-svc', 's', ['max by (step) (dispute_escrow_wait_seconds)', '{{step}}']),
      lines('Disputes that wait', 'short', ['max by (step) (dispute_escrow_waiting)', '{{step}}']),
      lines('Deals frozen by an unknown dispute', 'short', [
        'sum(increase(dispute_unknown_freezes_total[1h]))',
        'in an hour',
      ]),
      heading('Refunds, payouts and chargebacks'),
      lines('Refunds that are not finished', 'short', ['max by (status) (escrow_refunds)', '{{status}}']),
      lines('Oldest refund', 's', ['max by (status) (escrow_refund_age_seconds)', '{{status}}']),
      lines('Refunds made at the provider', 'short', ['sum(increase(escrow_foreign_refunds_total[1h]))', 'in an hour']),
      lines('Payouts that are not finished', 'short', ['max by (status) (escrow_payouts)', '{{status}}']),
      lines('Oldest payout', 's', ['max by (status) (escrow_payout_age_seconds)', '{{status}}']),
      lines('Payouts that came back', 'short', ['sum(increase(escrow_payouts_returned_total[1h]))', 'in an hour']),
      lines('Steps of chargebacks', 'short', [
        'sum by (status, held) (increase(escrow_chargebacks_total[1d]))',
        '{{status}}, held: {{held}}',
      ]),
      lines('Oldest chargeback without a decision', 's', [
        'max by (status) (escrow_chargeback_age_seconds)',
        '{{status}}',
      ]),
      heading('Providers'),
      lines('Requests by outcome', 'reqps', [
        rate('provider_request_duration_seconds_count', 'provider, outcome'),
        '{{provider}} {{outcome}}',
      ]),
      lines('Time of a request (95 %)', 's', [
        quantile(0.95, 'provider_request_duration_seconds', 'provider'),
        '{{provider}}',
      ]),
      lines('Webhooks by outcome', 'reqps', [
        rate('escrow_webhooks_total', 'sender, outcome'),
        '{{sender}} {{outcome}}',
      ]),
      lines('Webhooks by the secret that has signed them', 'reqps', [
        rate('webhook_signatures_total', 'setting, position'),
        '{{setting}}, position {{position}}',
      ]),
      lines('Events that no code handles', 'short', [
        'sum by (type) (increase(escrow_unhandled_provider_events_total[1h]))',
        '{{type}}',
      ]),
      lines('Events that an operator must book', 'short', ['max by (why) (escrow_events_for_operators)', '{{why}}']),
      lines('The key is of our own account', 'short', ['min(escrow_platform_account_ok)', '1: yes']),
      heading('Commands that move money'),
      lines('Commands', 'reqps', ['gateway:money_commands:rate5m', 'a second']),
      lines('Share of slow ones', 'percentunit', ['gateway:money_commands_slow:ratio_rate5m', 'longer than 250 ms']),
    ],
  },
  'events-and-timers': {
    title: 'Holdfast: events and timers',
    panels: [
      heading('Events that leave'),
      lines('Published', 'ops', [rate('events_published_total', 'service'), '{{service}}']),
      lines('In the outbox', 'short', ['max by (service) (outbox_depth)', '{{service}}']),
      lines('Age of the outbox', 's', ['max by (service) (outbox_oldest_seconds)', '{{service}}']),
      heading('Events that arrive'),
      lines('Attempts by outcome', 'ops', [rate('events_consumed_total', 'group, outcome'), '{{group}} {{outcome}}']),
      lines('Events not handled yet', 'short', ['max by (group) (consumer_lag_events)', '{{group}}']),
      lines('Age of the oldest', 's', ['max by (group) (consumer_lag_seconds)', '{{group}}']),
      lines('Longest wait of a partition', 's', ['max by (group) (events_partition_waiting_seconds)', '{{group}}']),
      lines('The slowest handlers (95 %)', 's', [
        `topk(10, ${quantile(0.95, 'event_handling_seconds', 'type')})`,
        '{{type}}',
      ]),
      lines('Dead letters', 'short', [
        'sum by (group) (increase(events_consumed_total{outcome="dead_lettered"}[1h]))',
        '{{group}}, in an hour',
      ]),
      heading('Timers'),
      lines('Deadlines that fired', 'ops', [rate('timers_fired_total', 'source, by'), '{{source}} by {{by}}']),
      lines('Lateness (99 %)', 's', [quantile(0.99, 'timers_lateness_seconds', 'source'), '{{source}}']),
      lines(
        'Failed, and took too long',
        'ops',
        [rate('timers_failed_total', 'source'), '{{source}} failed'],
        [rate('timers_overran_total', 'source'), '{{source}} too long'],
      ),
      lines(
        'Clocks extended after an outage',
        'short',
        ['sum(increase(escrow_clocks_extended_total[1h]))', 'deals'],
        ['sum(increase(dispute_clocks_extended_total[1h]))', 'disputes'],
      ),
      lines(
        'Redis',
        'short',
        ['redis_up', '{{instance}} answers'],
        ['sum by (instance) (redis_db_keys)', '{{instance}} keys'],
        ['min by (service) (timers_queue_usable)', '{{service}} can use it'],
      ),
      heading('Mails, push messages and texts'),
      lines('Mails that wait', 'short', ['max by (service) (mails_waiting)', '{{service}}']),
      lines('Oldest mail that waits', 's', ['max by (service) (mail_oldest_waiting_seconds)', '{{service}}']),
      lines(
        'Mails, push messages and texts by outcome',
        'ops',
        [rate('mails_total', 'outcome'), 'mails {{outcome}}'],
        [rate('push_messages_total', 'outcome'), 'push messages {{outcome}}'],
        [rate('sms_total', 'outcome'), 'texts {{outcome}}'],
      ),
    ],
  },
}
