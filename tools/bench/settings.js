import { parseArgs } from 'node:util'
import { Failure } from '../dev/failure.js'

const CLIENTS = 64
const OPTIONS = /** @type {const} */ ({
  quick: { type: 'boolean', default: false },
  telemetry: { type: 'boolean', default: false },
  deals: { type: 'string' },
  'keep-plans': { type: 'boolean', default: false },
})

/** What a run measures, and for how long. */
const FULL = {
  rounds: 3,
  seconds: 6,
  tailSeconds: 25,
  // How long a warm-up may take: the first load of a run starts with new processes, the later ones with warm ones.
  firstWarmUpAtMostSeconds: 15,
  warmUpAtMostSeconds: 6,
  accountsPerBranch: 100_000,
  telemetryPairs: 8,
  telemetrySeconds: 12,
}

/** Takes about a minute, for daily work: does a change cost or save something? */
const QUICK = {
  rounds: 1,
  seconds: 3,
  tailSeconds: 8,
  firstWarmUpAtMostSeconds: 8,
  warmUpAtMostSeconds: 3,
  accountsPerBranch: 10_000,
  telemetryPairs: 4,
  telemetrySeconds: 6,
}

/** What `--deals` measures: the same loads at a small number of deals and at a large one. */
const SIZE = {
  smallCount: 10_000,
  rounds: 5,
  warmUpSeconds: 10,
  seconds: 8,
  /** Requests a second. Both worlds carry them with ease: near the limit a latency says more about the machine than about the work. */
  moneyRate: 100,
  pageRate: 40,
}

/**
 * The settings of a run: `--quick`, `--telemetry` or `--deals` as arguments. BENCH_ROUNDS and BENCH_SECONDS in the environment change how
 * long it takes.
 * @throws Failure that names what is wrong
 */
export function readSettings(args, env) {
  const values = parse(args)
  if (values.deals !== undefined) return sizeSettings(values, env)
  if (values['keep-plans']) throw new Failure('--keep-plans has an effect only with --deals.')
  const base = values.quick ? QUICK : FULL
  return {
    ...base,
    quick: values.quick,
    telemetry: values.telemetry,
    clients: CLIENTS,
    rounds: wholeNumber(env, 'BENCH_ROUNDS') ?? base.rounds,
    seconds: wholeNumber(env, 'BENCH_SECONDS') ?? base.seconds,
    /** The share of the measured peak at which the tail is measured. */
    tailShare: 0.7,
  }
}

function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS_')) throw error
    throw new Failure(error.message)
  }
}

/** A variable that is a whole number above 0; undefined when it is not set. */
function wholeNumber(env, name) {
  if (env[name] === undefined) return undefined
  const value = Number(env[name])
  if (!Number.isInteger(value) || value < 1)
    throw new Failure(`${name}=${env[name]}: it must be a whole number above 0.`)
  return value
}

function sizeSettings(values, env) {
  const deals = Number(values.deals)
  if (!Number.isInteger(deals) || deals <= SIZE.smallCount)
    throw new Failure(
      `--deals ${values.deals}: it must be a whole number above ${SIZE.smallCount}, to which it is compared.`,
    )
  if (values.quick || values.telemetry) throw new Failure('--quick and --telemetry have no effect with --deals.')
  return {
    ...SIZE,
    deals,
    clients: CLIENTS,
    rounds: wholeNumber(env, 'BENCH_ROUNDS') ?? SIZE.rounds,
    seconds: wholeNumber(env, 'BENCH_SECONDS') ?? SIZE.seconds,
    keepPlans: values['keep-plans'],
    /** A data folder that stays, so that a second run need not fill it again. */
    folder: env.BENCH_WORLD,
  }
}
