// `npm run chaos`: prints what was done to the product, with the seed that repeats it, and whether it held. README.md explains it.
import { bold, say } from '../dev/output.js'
import { session } from '../dev/session.js'
import { restartUnderLoad } from './restart-under-load.js'
import { runChaos } from './run.js'
import { readSettings } from './settings.js'

await session(async (processes, undo) => {
  const settings = readSettings(process.argv.slice(2))
  return settings.restarts ? restarts(processes, undo) : chaos(processes, undo, settings)
})

/** `--restarts` */
async function restarts(processes, undo) {
  const { peak, rate, restarts, load } = await restartUnderLoad(processes, undo)
  const { answered, errors, sentAgain, p50, p95, p99, longest, firstProblem } = load
  const [median, most, nearlyAll, slowest] = [p50, p95, p99, longest].map(ms => `${ms.toFixed(0)} ms`)
  say(
    '',
    `Peak ${peak.toFixed(0)} commands a second. ${restarts} processes were restarted at ${rate} a second.`,
    `${answered} commands succeeded, ${errors} failed; ${sentAgain} were sent again because an idle connection was closed.`,
    `p50 ${median}, p95 ${most}, p99 ${nearlyAll}, slowest ${slowest}.`,
  )
  if (errors > 0) say(`  ✗ The first failure: ${firstProblem ?? 'no answer in time'}`)
  return errors === 0 ? 0 : 1
}

async function chaos(processes, undo, settings) {
  const { seed, seconds, perSecond, replicas, kills } = settings
  say(
    '',
    bold(
      `Chaos with seed ${seed}: ${kills ? `${kills} kills, at most ` : ''}${seconds} s, ${perSecond} commands a second, ${replicas} replicas`,
    ),
  )
  const result = await runChaos(processes, undo, settings)
  const { counts, commands, attempts, purchases, messages, deadlines, goodput, latest, wrong } = result
  const kinds = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`)
  say('', `Seed ${seed}. Faults: ${kinds.join(', ')}.`)
  say(
    `${commands} commands in ${attempts} attempts, ${purchases} purchases, ${messages} messages with a picture, goodput ${goodput.toFixed(2)} of the calm; ${deadlines} deadlines, at most ${latest.toFixed(0)} s late.`,
  )
  say(
    ...(wrong.length === 0
      ? ['Nothing acknowledged was lost, and nothing happened twice.']
      : wrong.map(each => `  ✗ ${each}`)),
  )
  return wrong.length === 0 ? 0 : 1
}
