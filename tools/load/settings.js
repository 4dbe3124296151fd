import { Failure } from '../dev/failure.js'

/** The scenarios of `k6/scenarios.js`. */
export const SCENARIOS = ['browse', 'buy', 'chat', 'mixed', 'spike', 'soak']

/**
 * What a run does: the scenario as the argument; RATE (iterations a second, or a share of the peak such as `70%`), DURATION (such as `30s`), BASE_URL and PEOPLE_FILE in the
 * environment. Throws a Failure that says what is wrong.
 */
export function readSettings(args, env) {
  const [scenario, ...more] = args
  if (!SCENARIOS.includes(scenario) || more.length > 0)
    throw new Failure(`npm run load takes -- and one of ${SCENARIOS.join(', ')}.`)
  const percent = /^([1-9]\d?)%$/.exec(env.RATE ?? '')?.[1]
  const rate = env.RATE && !percent ? Number(env.RATE) : null
  if (rate !== null && !(Number.isInteger(rate) && rate > 0))
    throw new Failure('RATE must be a whole number above 0, or a share of the peak such as 70%.')
  if (percent && scenario === 'spike') throw new Failure('A spike has no rate that is a share of the peak.')
  if (env.DURATION && !/^\d+[smh]$/.test(env.DURATION))
    throw new Failure('DURATION must be a time such as 30s, 5m or 2h.')
  if (Boolean(env.BASE_URL) !== Boolean(env.PEOPLE_FILE))
    throw new Failure('BASE_URL and PEOPLE_FILE are set together: the people are those of that product.')
  return {
    scenario,
    rate,
    shareOfPeak: percent ? Number(percent) / 100 : null,
    duration: env.DURATION || null,
    baseUrl: env.BASE_URL?.replace(/\/$/, '') ?? null,
    peopleFile: env.PEOPLE_FILE ?? null,
  }
}
