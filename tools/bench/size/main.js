// `npm run bench -- --deals 1000000`: does the product stay as fast when its tables grow?
import fs from 'node:fs'
import { phase, say } from '../../dev/output.js'
import { measureBoth, plansOf, warm } from './measure.js'
import { comparePlans, growthLines, keptPlans, onGrowing, planFile, unseenLines } from './plan-file.js'
import { printReport, ratioLines, resultFaults } from './report.js'
import { startFilledWorld } from './world.js'

/** Answers the exit code: 1 for what `resultFaults` and `comparePlans` find. */
export async function compareSizes(processes, undo, settings) {
  const large = await startFilledWorld(processes, undo, settings.deals, settings.folder)
  const small = await startFilledWorld(processes, undo, settings.smallCount)
  for (const world of [small, large]) await phase(`Warming up at ${world.count} deals`, () => warm(world, settings))
  const results = await phase('Measuring', note => measureBoth({ small, large }, settings, note))
  const [largePlans, smallPlans] = await phase('Recording the plans', () =>
    Promise.all([plansOf(large), plansOf(small)]),
  )
  const sizes = await sizesOf(large.database)
  const plans = onGrowing(largePlans.found, sizes)
  await Promise.all([small.stop(), large.stop()])

  printReport(results, settings)
  say('', 'Statements that read many more pages in the large world', ...growthLines(smallPlans.found, plans), '')
  if (settings.keepPlans) fs.writeFileSync(planFile, keptPlans(plans, fs.readFileSync(planFile, 'utf8')))
  const planFaults = comparePlans(plans, sizes)
  const faults = [...resultFaults(results), ...planFaults]
  say(...unseenLines(largePlans.found), ...faults, `${largePlans.lost + smallPlans.lost} plans were lost`)
  for (const line of ratioLines(results)) process.stdout.write(`${line}\n`)
  process.stdout.write(`PLANS compared ${plans.size} faults ${planFaults.length} aim 0\n`)
  return faults.length === 0 ? 0 : 1
}

/** The number of rows of each table, as the planner knows it. */
async function sizesOf(database) {
  const { rows } = await database.query(
    `SELECT oid::regclass::text AS name, reltuples AS rows FROM pg_class WHERE relkind = 'r'`,
  )
  return new Map(rows.map(({ name, rows }) => [name, rows]))
}
