import { Failure } from '../dev/failure.js'
import { runningProcesses } from '../dev/product.js'
import { until } from '../dev/wait.js'

const READY_WITHIN_MS = 60_000
const STEP_MS = 100

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
      const before = pidOf(dataDir, name)
      process.kill(before, 'SIGTERM')
      const isBack = async () => ![null, before].includes(pidOf(dataDir, name)) && (await serves(opsPort))
      if (!(await until(isBack, { withinMs: READY_WITHIN_MS, everyMs: STEP_MS })))
        throw new Failure(`${name} does not serve ${READY_WITHIN_MS / 1000} s after its restart`)
    }
}

const pidOf = (dataDir, name) => runningProcesses(dataDir).find(row => row.name === name)?.pid ?? null

/** A process that does not listen yet refuses the connection. */
const serves = opsPort =>
  fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
