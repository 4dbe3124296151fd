// `npm run faults`: does each fault raise its alert in time, and no other? README.md explains it.

import { findCommand } from '@holdfast/engines/commands'
import { bold, phase, say } from '../dev/output.js'
import { session } from '../dev/session.js'
import { LONGEST_SECONDS, problemsOf, tryFault, untilCalm } from './experiment.js'
import { FAULTS } from './faults.js'
import { HELP, readSettings } from './settings.js'
import { startWorld } from './world.js'

/** The programs of Debian's packages of the same names. */
const PROGRAMS = [
  'prometheus',
  'prometheus-node-exporter',
  'prometheus-redis-exporter',
  'prometheus-blackbox-exporter',
  'openssl',
]

await session(async (processes, undo) => {
  const settings = readSettings(
    process.argv.slice(2),
    FAULTS.map(({ name }) => name),
  )
  if (settings.help) {
    say(HELP)
    return 0
  }
  const missing = PROGRAMS.filter(program => findCommand(program) === null)
  if (missing.length > 0) {
    say(`This machine lacks ${missing.join(', ')}: apt-get install --no-install-recommends ${missing.join(' ')}`)
    return 1
  }
  const chosen = FAULTS.filter(({ name }) => settings.names.includes(name))
  const world = await startWorld(processes, undo, LONGEST_SECONDS * (chosen.length + 1))
  const alerts = () => world.prometheus.alerts()
  if (!(await phase('Waiting until no alert is pending', note => untilCalm(alerts, note)))) {
    say(`These alerts do not end: ${JSON.stringify(await alerts())}`)
    return 1
  }
  const wrong = []
  for (const fault of chosen) {
    const lack = fault.lacks?.(world)
    if (lack) {
      wrong.push(`${fault.name}: not injected, since ${lack}`)
      continue
    }
    const result = await phase(fault.name, note => tryFault(fault, world, alerts, note))
    say(`    ${lineOf(result)}`)
    wrong.push(...problemsOf(result))
    world.load.check()
  }
  say('', `Answers to the load: ${JSON.stringify(world.load.statuses)}`)
  say(bold(wrong.length === 0 ? `${chosen.length} faults raised their alerts, and no other.` : 'Not as it should be:'))
  say(...wrong.map(each => `  ✗ ${each}`))
  await world.load.stop()
  await world.product.stop()
  return wrong.length === 0 ? 0 : 1
})

function lineOf({ name, alert, seconds, others }) {
  const when = seconds === null ? 'did not fire' : `fired after ${seconds.toFixed(0)} s`
  return `${name}: ${alert} ${when}; ${others.length === 0 ? 'no other alert fired' : `also ${others.join(', ')}`}`
}
