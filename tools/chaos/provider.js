import { sendSignal } from '../dev/processes.js'
import { runningProcesses } from '../dev/product.js'

/** What may go wrong at the provider, as `POST /sandbox/faults` takes it (tools/sandbox/README.md). */
const FAULTS = ['delay', 'refuse', 'lose_answer', 'error', 'error_after', 'rate_limit']
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
export async function strikeProvider(sandboxUrl, random) {
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

/** Ends what `strikeProvider` and `disturbWebhooks` began. */
export async function calmProvider(sandboxUrl) {
  await fetch(`${sandboxUrl}/sandbox/faults`, { method: 'DELETE' })
  await tell(`${sandboxUrl}/sandbox/settings`, USUAL)
}

/** Sends a signal to the provider's process. */
export function signalProvider(dataDir, signal) {
  return sendSignal(runningProcesses(dataDir).find(({ name }) => name === 'sandbox').pid, signal)
}

function tell(url, body) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return fetch(url, { ...request, signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
