import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of this process for Prometheus, served on OPS_PORT only. */
export const registry = new Registry()

/** In seconds. The steps are smaller below 50 ms, because most answers take less than that. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Makes a counter, or returns the existing one of this name. Names end in `_total`. */
export function counter<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) {
  return (
    (registry.getSingleMetric(name) as Counter<L> | undefined) ??
    new Counter<L>({ name, help, labelNames, registers: [registry] })
  )
}

/** Makes a gauge. `collect` is called at every scrape and may be asynchronous. Names end in their unit. */
export function gauge<L extends string = never>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
  collect?: (gauge: Gauge<L>) => void | Promise<void>,
) {
  const known = registry.getSingleMetric(name) as Gauge<L> | undefined
  if (known) return known
  return new Gauge<L>({
    name,
    help,
    labelNames,
    registers: [registry],
    ...(collect
      ? {
          collect() {
            return collect(this)
          },
        }
      : {}),
  })
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

const requests = histogram('http_request_duration_seconds', 'Time from a request to its answer', [
  'method',
  'route',
  'status',
])

// A child is kept for each combination, because finding it by its labels is slower than counting. Clients cannot invent
// routes, methods or statuses, so there are few.
const children = new Map<string, { observe(seconds: number): void }>()

/** Counts one answer. `route` is the template, never the path. */
export function observeRequest(method: string, route: string, status: number, seconds: number): void {
  const key = `${method} ${route} ${status}`
  let child = children.get(key)
  if (!child) {
    child = requests.labels({ method, route, status: String(status) })
    children.set(key, child)
  }
  child.observe(seconds)
}

/** Collects Node's own metrics, once per process. A test may run several services in one process. */
export function collectProcessMetrics(service: string): void {
  registry.setDefaultLabels({ service })
  if (!registry.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics({ register: registry })
}
