// `npm run chaos`: prints what was done to the product, with the seed that repeats it, and whether it held. README.md explains it.
import { bold, say } from '../dev/output.js'
import { session } from '../dev/session.js'
import { runChaos } from './run.js'
import { readSettings } from './settings.js'

await session(async (processes, undo) => {
  const settings = readSettings(process.argv.slice(2))
  const { seed, seconds, perSecond, replicas, kills } = settings
  say(
    '',
    bold(
      `Chaos with seed ${seed}: ${kills ? `${kills} kills, at most ` : ''}${seconds} s, ${perSecond} commands a second, ${replicas} replicas`,
    ),
  )
  const result = await runChaos(processes, undo, settings)
  const { counts, commands, attempts, purchases, deadlines, goodput, latest, wrong } = result
  const kinds = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`)
  say('', `Seed ${seed}. Faults: ${kinds.join(', ')}.`)
  say(
    `${commands} commands in ${attempts} attempts, ${purchases} purchases, goodput ${goodput.toFixed(2)} of the calm; ${deadlines} deadlines, at most ${latest.toFixed(0)} s late.`,
  )
  say(
    ...(wrong.length === 0
      ? ['Nothing acknowledged was lost, and nothing happened twice.']
      : wrong.map(each => `  ✗ ${each}`)),
  )
  return wrong.length === 0 ? 0 : 1
})
