import { Failure } from './failure.js'
import { until } from './wait.js'

const READY_WITHIN_MS = 60_000
const READY_STEP_MS = 100
const ANSWER_WITHIN_MS = 5_000

/**
 * Resolves when the gateway at `origin` says that the whole product can serve. `note` shows which services
 * are not ready. Throws a Failure that names them after a minute.
 */
export async function waitUntilReady(origin, note) {
  let awaited = 'the gateway'
  const ready = await until(
    async () => {
      const answer = await ask(`${origin}/readyz?deep=1`)
      if (answer?.ok) return true
      awaited = answer ? waitingFor(answer.body) : 'the gateway'
      note(`waiting for ${awaited}`)
      return false
    },
    { withinMs: READY_WITHIN_MS, everyMs: READY_STEP_MS },
  )
  if (!ready) {
    throw new Failure(`After ${READY_WITHIN_MS / 1000} s the product still waits for ${awaited}: see its log.`)
  }
}

// A process that is still booting refuses or resets connections.
async function ask(url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    return { ok: answer.ok, body: await answer.json().catch(() => ({})) }
  } catch (error) {
    if (error.name === 'TypeError' || error.name === 'TimeoutError') return null
    throw error
  }
}

function waitingFor({ checks = {} }) {
  const missing = Object.entries(checks).filter(([, check]) => check !== 'ok' && check?.status !== 'ok')
  return missing.map(([name]) => name).join(', ') || 'its services'
}
