import { histogram } from '@holdfast/service-kit/telemetry/metrics'

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

/** Measures one request to a provider, with the reading of its answer. Repeated ones count each. */
export async function measured<A>(
  provider: Provider,
  send: () => Promise<A>,
  statusOf: (answer: A) => number,
): Promise<A> {
  const startedMs = performance.now()
  let outcome: Outcome = 'no_answer'
  try {
    const answer = await send()
    outcome = outcomeOf(statusOf(answer))
    return answer
  } finally {
    calls.observe({ provider, outcome }, (performance.now() - startedMs) / 1000)
  }
}

function outcomeOf(status: number): Outcome {
  if (status < 400) return 'ok'
  return status >= 500 || status === 401 || status === 429 ? 'failed' : 'refused'
}
