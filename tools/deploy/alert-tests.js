// Makes promtool's tests of the cases, and runs them. promtool is a part of Debian's package `prometheus`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT } from '../dev/settings.js'
import { CASES } from './alert-cases.js'
import { CALM, STEP_SECONDS } from './calm-day.js'
import { RULE_FILES } from './rules.js'

const TWO_MINUTES = 120
const USUALLY_CALM_SECONDS = 3 * 60
/** Long cases evaluate the rules less often, because each evaluation costs time: so often for a case of up to so many seconds. */
const EVALUATIONS = [
  { everySeconds: STEP_SECONDS, upTo: 2 * 3600 },
  { everySeconds: 60, upTo: 12 * 3600 },
  // A query sees a sample of the last five minutes.
  { everySeconds: 240, upTo: Number.POSITIVE_INFINITY },
]

/** The values of a series, one a step, as promtool reads them. */
function valuesOf(calm, wrong, calmSteps, steps) {
  const values = []
  let count = 0
  for (let step = 0; step <= steps; step++) {
    const isWrong = step > calmSteps
    const is = isWrong ? (wrong ?? calm) : calm
    const seconds = isWrong ? (step - calmSteps) * STEP_SECONDS : 0
    if (is.perSecond !== undefined) {
      if (step > 0) count += is.perSecond * STEP_SECONDS
      values.push(count)
    } else values.push(typeof is.value === 'function' ? is.value(seconds) : (is.value ?? '_'))
  }
  return values.join(' ')
}

/** A test of promtool: nothing fires until something is wrong, and exactly the alerts of the case when its time is over. */
export function promtoolTest({ title, series, fires, calm = USUALLY_CALM_SECONDS, after = TWO_MINUTES }) {
  const unknown = Object.keys(series).filter(name => !(name in CALM))
  if (unknown.length > 0) throw new Error(`"${title}" changes series that a calm day does not have: ${unknown}`)
  const [calmSteps, steps] = [calm, calm + after].map(seconds => Math.floor(seconds / STEP_SECONDS))
  const firing = {
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    samples: alerts => alerts.map(alert => ({ labels: `{alertname="${alert}"}`, value: 1 })),
  }
  const expect = (eval_time, alerts) => ({ expr: firing.expr, eval_time, exp_samples: firing.samples(alerts) })
  return {
    name: title,
    interval: `${STEP_SECONDS}s`,
    input_series: Object.entries(CALM).map(([name, is]) => ({
      series: name,
      values: valuesOf(is, series[name], calmSteps, steps),
    })),
    promql_expr_test: [
      ...(calmSteps > 0 ? [expect(`${calmSteps * STEP_SECONDS}s`, [])] : []),
      expect(`${steps * STEP_SECONDS}s`, fires),
    ],
  }
}

/** Checks the rules and runs the tests of the cases, which takes promtool one processor for each run. @returns what promtool found, '' for nothing */
export async function promtoolFindings(cases = CASES) {
  const evaluationOf = ({ calm = 0, after = 0 }) => EVALUATIONS.find(({ upTo }) => calm + after < upTo)
  const groups = EVALUATIONS.flatMap(each => {
    const own = cases.filter(one => evaluationOf(one) === each)
    return shared(own, os.availableParallelism()).map(part => ({ everySeconds: each.everySeconds, cases: part }))
  })
  const runs = groups.map(({ everySeconds, cases }) => testRules(everySeconds, cases))
  return (await Promise.all([promtool('check', 'rules', '--lint-fatal', ...RULE_FILES), ...runs])).join('')
}

/** Deals the cases out to so many processes, none of which gets no case. */
const shared = (cases, processes) =>
  Array.from({ length: Math.min(processes, cases.length) }, (_, n) => cases.filter((_, i) => i % processes === n))

/** Has promtool parse queries. @returns what promtool found, '' for nothing */
export function promtoolParses(queries) {
  const rules = queries.map((expr, n) => ({ record: `query:${n}`, expr }))
  return inFile({ groups: [{ name: 'queries', rules }] }, file => promtool('check', 'rules', file))
}

function testRules(evaluationSeconds, cases) {
  const evaluation_interval = `${evaluationSeconds}s`
  const tests = cases.map(promtoolTest)
  return inFile({ rule_files: RULE_FILES, evaluation_interval, tests }, file => promtool('test', 'rules', file))
}

/** Calls `use` with the name of a file that has this content. JSON is YAML. */
async function inFile(content, use) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-promtool-'))
  try {
    const file = path.join(folder, 'file.yaml')
    fs.writeFileSync(file, JSON.stringify(content))
    return await use(file)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** What promtool prints when it fails, and '' otherwise. */
async function promtool(...args) {
  const child = spawn('promtool', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return status === 0 ? '' : `${stdout}${stderr}`
}
