import { histogram } from '@holdfast/service-kit/telemetry/metrics'
import { SpanKind, startSpan, withSpan } from '@holdfast/service-kit/telemetry/telemetry'

/** Whom escrow-svc calls outside of the product. `carrier` is the aggregator of all carriers. */
const PROVIDERS = ['stripe', 'coinify', 'carrier'] as const
type Provider = (typeof PROVIDERS)[number]

/** `failed` is what a provider should not answer: an error of its own, no access with our key, too many requests. */
const OUTCOMES = ['ok', 'refused', 'failed', 'no_answer'] as const
type Outcome = (typeof OUTCOMES)[number]

const calls = histogram('provider_request_duration_seconds', 'Time of a request to a provider, by outcome', [
  'provider',
  'outcome',
])
// A rate needs two values, so the first failure would not be seen if its series began with it.
for (const provider of PROVIDERS) for (const outcome of OUTCOMES) calls.zero({ provider, outcome })

interface ProviderRequest {
  readonly provider: Provider
  readonly method: string
  /** Its query and its ids are not recorded. */
  readonly path: string
}

/** Measures and records one request to a provider, with the reading of its answer. Repeated ones count each. */
export function measured<A>(
  { provider, method, path }: ProviderRequest,
  send: () => Promise<A>,
  statusOf: (answer: A) => number,
): Promise<A> {
  const span = startSpan(`${method} ${provider}`, { kind: SpanKind.CLIENT })
  span?.setAttributes({ 'http.request.method': method, 'server.address': provider, 'url.template': templateOf(path) })
  return withSpan(span, async () => {
    const startedMs = performance.now()
    let outcome: Outcome = 'no_answer'
    try {
      const answer = await send()
      const status = statusOf(answer)
      span?.setAttribute('http.response.status_code', status)
      outcome = outcomeOf(status)
      return answer
    } finally {
      calls.observe({ provider, outcome }, (performance.now() - startedMs) / 1000)
    }
  })
}

/** A part of a path that is an id: it has a digit and is no version. */
const ID = /\/(?!v\d+\/)[^/]*\d[^/]*/g

/** A provider's path without its query and its ids. */
export const templateOf = (path: string): string => path.replace(/\?.*/, '').replace(ID, '/{id}')

function outcomeOf(status: number): Outcome {
  if (status < 400) return 'ok'
  return status >= 500 || status === 401 || status === 429 ? 'failed' : 'refused'
}
