// `npm run faults`: injects faults into a running product, and says whether Prometheus raises the right alerts. README.md explains it.
import { say } from '../dev/output.js'
import { session } from '../dev/session.js'
import { runFaults } from './run.js'
import { readSettings, USAGE } from './settings.js'

await session(async (processes, undo) => {
  const faults = readSettings(process.argv.slice(2))
  if (faults === null) {
    say(USAGE)
    return 0
  }
  const right = await runFaults(processes, undo, faults)
  say('', `${right} of ${faults.length} faults raised the right alert within two minutes, and no wrong one.`)
  return right === faults.length ? 0 : 1
})
