import { Failure } from '../dev/failure.js'
import { processNamed, runningProcesses } from '../dev/product.js'
import { until } from '../dev/wait.js'

const READY_WITHIN_MS = 60_000
const STEP_MS = 100
const ANSWER_WITHIN_MS = 2_000

/**
 * Asks every replica of every service to end, one after another, and each time waits until its successor serves, as a rollout does.
 * `note` gets the name of each.
 * @throws Failure when a successor does not serve
 */
export async function restartInTurn({ dataDir, ports }, note) {
  for (const [service, { replicas = [] }] of Object.entries(ports))
    for (const [index, { opsPort }] of replicas.entries()) {
      const name = `${service}-${index + 1}`
      note(name)
      const before = processNamed(dataDir, name).pid
      process.kill(before, 'SIGTERM')
      const isReplaced = () => runningProcesses(dataDir).some(row => row.name === name && row.pid !== before)
      const isBack = async () => isReplaced() && (await serves(opsPort))
      if (!(await until(isBack, { withinMs: READY_WITHIN_MS, everyMs: STEP_MS })))
        throw new Failure(`${name} does not serve ${READY_WITHIN_MS / 1000} s after its restart`)
    }
}

/** A process that does not listen yet refuses the connection. */
const serves = opsPort =>
  fetch(`http://127.0.0.1:${opsPort}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
