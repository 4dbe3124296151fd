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

/**
 * The settings of a run: `--quick` and `--telemetry` as arguments; BENCH_ROUNDS and BENCH_SECONDS in the environment change how long it
 * takes. Throws an Error that names an unknown argument.
 */
export function readSettings(args, env) {
  const unknown = args.find(arg => arg !== '--quick' && arg !== '--telemetry')
  if (unknown) throw new Error(`"${unknown}" is unknown: npm run bench takes -- --quick and --telemetry`)
  const quick = args.includes('--quick')
  const base = quick ? QUICK : FULL
  return {
    ...base,
    quick,
    telemetry: args.includes('--telemetry'),
    clients: 64,
    rounds: Number(env.BENCH_ROUNDS ?? base.rounds),
    seconds: Number(env.BENCH_SECONDS ?? base.seconds),
    /** The share of the measured peak at which the tail is measured. */
    tailShare: 0.7,
  }
}
