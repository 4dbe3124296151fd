// `npm run bench -- --deals 1000000`: does the product stay as fast when its tables grow?
import fs from 'node:fs'
import { phase, say } from '../../dev/output.js'
import { measureWorld, plansOf } from './measure.js'
import { comparePlans, growthLines, keptPlans, planFile } from './plan-file.js'
import { printReport, ratioLines } from './report.js'
import { startFilledWorld } from './world.js'

/** Answers the exit code: 1 when a plan has changed or a table that grows is read from end to end. */
export async function compareSizes(processes, undo, settings) {
  const small = await worldOf(processes, undo, settings.smallCount, undefined, settings)
  const large = await worldOf(processes, undo, settings.deals, settings.folder, settings)
  printReport({ small: small.loads, large: large.loads })
  say('', ...growthLines(small.plans, large.plans), '')
  if (settings.keepPlans) fs.writeFileSync(planFile, keptPlans(large.plans, small.plans))
  const faults = comparePlans(large.plans, large.sizes)
  say(...faults)
  for (const line of ratioLines(small.loads, large.loads)) process.stdout.write(`${line}\n`)
  process.stdout.write(`PLANS changed ${faults.length} aim 0\n`)
  return faults.length === 0 ? 0 : 1
}

async function worldOf(processes, undo, count, folder, settings) {
  const world = await startFilledWorld(processes, undo, count, folder)
  const loads = await phase(`Measuring at ${count} deals`, note => measureWorld(world, settings, note))
  const plans = await phase('Recording the plans', () => plansOf(world))
  const sizes = await sizesOf(world.database)
  await world.stop()
  return { loads: { ...loads, count }, plans, sizes }
}

/** The number of rows of each table, as the planner knows it. */
async function sizesOf(database) {
  const { rows } = await database.query(
    `SELECT relname AS name, max(reltuples)::float8 AS rows FROM pg_class WHERE relkind = 'r' GROUP BY relname`,
  )
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}
