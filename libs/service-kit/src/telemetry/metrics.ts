import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { loggerOf } from './logging.js'

/** The metrics of this process for Prometheus, served on OPS_PORT only. */
export const registry = new Registry()

/** In seconds. The steps are smaller below 50 ms, because most answers take less than that. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Makes a counter, or returns the existing one of this name. Names end in `_total`. */
export function counter<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) {
  return (
    (registry.getSingleMetric(name) as Counter<L> | undefined) ??
    new Counter<L>({ name, help, labelNames, registers: [registry] })
  )
}

/** What is called for each gauge at every scrape. */
const collectors = new Map<string, (() => void | Promise<void>)[]>()

/**
 * Makes a gauge, or returns the existing one of this name. `collect` is called at every scrape, in addition to those that were
 * given before, and may be asynchronous. When it fails, the gauge keeps its value, and the other metrics are still served: a
 * metric that needs the database must not hide all others while the database is unreachable. Names end in their unit.
 */
export function gauge<L extends string = never>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
  collect?: (gauge: Gauge<L>) => void | Promise<void>,
) {
  const known = registry.getSingleMetric(name) as Gauge<L> | undefined
  const made = known ?? newGauge(name, help, labelNames)
  if (collect) collectors.get(name)?.push(() => collect(made))
  return made
}

function newGauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
  const collecting: (() => void | Promise<void>)[] = []
  collectors.set(name, collecting)
  const collect = async () => void (await Promise.all(collecting.map(each => collectOrLog(name, each))))
  return new Gauge<L>({ name, help, labelNames, registers: [registry], collect })
}

const unmeasured = counter(
  'metrics_unmeasured_total',
  'Scrapes at which a gauge could not be measured and kept its value',
  ['metric'],
)

/** After a measurement the next one waits 25 times as long as this one took, so measuring uses at most 4 % of a connection's time. */
const PAUSE_PER_WORK = 25

/**
 * Wraps a measurement that reads many rows, so that it can be called at every scrape: it runs at most once in this time, and
 * less often when it takes long. After a failure it runs again at the next call. Calls at the same time share one run.
 */
export function atMostEvery(ms: number, measure: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let nextAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    const startedAtMs = performance.now()
    if (startedAtMs < nextAtMs) return
    running ??= measure()
      .then(() => {
        const doneAtMs = performance.now()
        nextAtMs = doneAtMs + Math.max(ms, (doneAtMs - startedAtMs) * PAUSE_PER_WORK)
      })
      .finally(() => {
        running = undefined
      })
    await running
  }
}

async function collectOrLog(metric: string, collect: () => void | Promise<void>): Promise<void> {
  try {
    await collect()
  } catch (error) {
    unmeasured.inc({ metric })
    loggerOf('metrics').warn({ err: error, metric }, 'a metric could not be measured')
  }
}

/** Makes a histogram. Durations are in seconds and end in `_seconds`. */
export function histogram<L extends string = never>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
  buckets: readonly number[] = DURATION_BUCKETS,
) {
  const known = registry.getSingleMetric(name) as Histogram<L> | undefined
  return known ?? new Histogram<L>({ name, help, labelNames, buckets: [...buckets], registers: [registry] })
}

// The name and the labels are those of OpenTelemetry's conventions, so that dashboards made for them show our services, too.
const requests = histogram('http_server_request_duration_seconds', 'Time from a request to its answer', [
  'http_request_method',
  'http_route',
  'http_response_status_code',
])

// A child is kept for each combination, because finding it by its labels is slower than counting. Clients cannot invent
// routes, methods or statuses, so there are few.
const children = new Map<string, { observe(seconds: number): void }>()

/** Counts one answer. `route` is the template, never the path. */
export function observeRequest(method: string, route: string, status: number, seconds: number): void {
  const key = `${method} ${route} ${status}`
  let child = children.get(key)
  if (!child) {
    child = requests.labels({
      http_request_method: method,
      http_route: route,
      http_response_status_code: String(status),
    })
    children.set(key, child)
  }
  child.observe(seconds)
}

/** Collects Node's own metrics, once per process. A test may run several services in one process. */
export function collectProcessMetrics(service: string): void {
  registry.setDefaultLabels({ service })
  if (!registry.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics({ register: registry })
}
