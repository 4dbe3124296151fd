import { until } from '../dev/wait.js'

/** What may go wrong at the provider, as `POST /sandbox/faults` takes it (tools/sandbox/README.md). */
const FAULTS = ['delay', 'refuse', 'lose_answer', 'error', 'error_after', 'rate_limit']
const TOLD_WITHIN_MS = 2_000
/** How long the provider may take to serve again: it keeps its state in PostgreSQL, which may have been killed a moment ago. */
const SERVES_WITHIN_MS = 60_000
const STEP_MS = 250
const DELAY_MS = [500, 12_000]
const MOST_TIMES = 4
/** How the provider may send its webhooks. */
const WEBHOOKS = [
  { webhookDuplicates: 2 },
  { webhooksShuffled: true },
  { webhookDelayMs: 3_000 },
  { webhooksPaused: true },
]
const USUAL = { webhookDuplicates: 0, webhooksShuffled: false, webhookDelayMs: 0, webhooksPaused: false }

/** Lets the next calls to the provider go wrong. Answers what it did; false when the provider could not be told. */
export async function failProvider(sandboxUrl, random) {
  const kind = random.oneOf(FAULTS)
  const times = 1 + Math.floor(random.number() * MOST_TIMES)
  const delayMs = kind === 'delay' ? Math.round(random.between(...DELAY_MS)) : 0
  const isTold = await tell(`${sandboxUrl}/sandbox/faults`, { kind, times, delayMs })
  return isTold && `${kind}, ${times} calls`
}

/** Lets the provider send its webhooks several times, out of order, late or not at all. Answers how. */
export async function disturbWebhooks(sandboxUrl, random) {
  const change = random.oneOf(WEBHOOKS)
  return (await tell(`${sandboxUrl}/sandbox/settings`, { ...USUAL, ...change })) && Object.keys(change)[0]
}

/** Ends what `failProvider` and `disturbWebhooks` began. @throws Error when the provider could not be told */
export async function endProviderFaults(sandboxUrl) {
  const isTold = async () =>
    (await tell(`${sandboxUrl}/sandbox/faults`, {}, 'DELETE')) && (await tell(`${sandboxUrl}/sandbox/settings`, USUAL))
  if (!(await until(isTold, { withinMs: SERVES_WITHIN_MS, everyMs: STEP_MS })))
    throw new Error('the provider could not be told to end its faults')
}

/** Whether the provider has taken it. */
function tell(url, body, method = 'POST') {
  const request = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return fetch(url, { ...request, signal: AbortSignal.timeout(TOLD_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
