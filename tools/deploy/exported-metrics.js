// The names of the metrics that Prometheus may have: those that our code makes, and those of named exporters.

import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../dev/settings.js'
import { RECORDED } from './rules.js'

/** Metrics of others that rules and dashboards use, and who exports them. */
const OF_OTHERS = {
  up: 'Prometheus itself',
  ALERTS: 'Prometheus itself',
  process_cpu_seconds_total: 'prom-client, in each of our processes',
  process_resident_memory_bytes: 'prom-client, in each of our processes',
  nodejs_eventloop_lag_p99_seconds: 'prom-client, in each of our processes',
  kubelet_volume_stats_available_bytes: 'kubelet',
  kubelet_volume_stats_capacity_bytes: 'kubelet',
  node_filesystem_avail_bytes: 'node_exporter',
  node_filesystem_size_bytes: 'node_exporter',
  redis_up: 'redis_exporter',
  redis_db_keys: 'redis_exporter',
  redis_commands_total: 'redis_exporter',
  probe_ssl_earliest_cert_expiry: 'blackbox_exporter',
}

const SOURCE = /\.ts$/
const TEST = /\.spec\.ts$|(^|\/)(test|testing|node_modules|dist)\//
// `watch` of event-metrics.ts makes one gauge for each of its calls, all with the label `group`.
const MADE = /\b(counter|gauge|histogram|watch)(?:<[^>(]*>)?\(\s*'([a-z][a-z0-9_]*)',\s*'[^']*'(?:,\s*\[([^\]]*)\])?/g
/** The labels that every process, Prometheus or a histogram adds. */
const OF_EVERY_METRIC = ['service', 'job', 'instance', 'pod', 'le']

/** The metrics that `libs` and `apps` export, as Prometheus shows them, each with its labels: a histogram has three. */
export const exportedMetrics = () => new Map(sources().flatMap(metricsOf))

/** The TypeScript files of `libs` and `apps` that are no tests. */
export const sources = () =>
  ['libs', 'apps']
    .flatMap(folder =>
      fs.readdirSync(path.join(ROOT, folder), { recursive: true }).map(file => path.join(folder, file)),
    )
    .filter(file => SOURCE.test(file) && !TEST.test(file))

/**
 * @param {string} file
 * @returns {[string, Set<string>][]}
 */
function metricsOf(file) {
  const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
  return [...text.matchAll(MADE)].flatMap(([, kind, name, list = '']) => {
    // A label is a text, or a constant of the same file.
    const own = list.match(/\w+/g) ?? []
    const labels = own.map(label => new RegExp(`const ${label} = '(\\w+)'`).exec(text)?.[1] ?? label)
    const known = new Set([...OF_EVERY_METRIC, ...labels, ...(kind === 'watch' ? ['group'] : [])])
    const names = kind === 'histogram' ? ['_bucket', '_sum', '_count'].map(end => name + end) : [name]
    return names.map(shown => [shown, known])
  })
}

/** What a query asks of a metric of ours that does not have it: `metric{label}`, or `by (label)` when none of its metrics has it. */
export function unknownLabelsIn(query, exported = exportedMetrics()) {
  const inSelectors = [...query.matchAll(/([a-zA-Z_][\w:]*)\s*\{([^}]*)\}/g)].flatMap(([, name, matchers]) =>
    [...matchers.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"/g)]
      .filter(([, label]) => exported.get(name)?.has(label) === false)
      .map(([, label]) => `${name}{${label}}`),
  )
  const metrics = metricsIn(query)
  if (!metrics.every(name => exported.has(name))) return inSelectors
  const labels = new Set(metrics.flatMap(name => [...(exported.get(name) ?? [])]))
  const inGroups = [...query.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list]) => list.match(/\w+/g) ?? [])
  return [...inSelectors, ...inGroups.filter(label => !labels.has(label)).map(label => `by (${label})`)]
}

/** Every name that a query may use. */
export const knownMetrics = () =>
  new Set([...exportedMetrics().keys(), ...Object.keys(OF_OTHERS), ...RECORDED.map(({ record }) => record)])

const WORDS = new Set([
  'and',
  'or',
  'unless',
  'bool',
  'offset',
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
])

/** The names of the metrics in a query of Prometheus. */
export function metricsIn(query) {
  const bare = query
    .replace(/"[^"]*"|'[^']*'/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b\d+[smhdwy]\b/g, ' ')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
  return [...new Set(bare.match(/[a-zA-Z_][\w:]*(?!\s*\()\b(?!\s*\()/g) ?? [])].filter(name => !WORDS.has(name))
}
