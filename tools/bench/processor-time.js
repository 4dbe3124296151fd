import { median } from './statistics.js'

/** Processes that spend less are not named, but counted together. */
const SMALL_US = 5

/**
 * Lines that say how many microseconds of processor time each process spends on one money command, from the start of the load
 * until the consumers have caught up. The total is also given as a multiple of the load's own processor time: the load always does
 * the same work, so its time shows how fast the host was. No lines where the system does not measure this (see cpu.js).
 * @param {{ cpu: Record<string, number>, cpuSeconds: number, answered: number }[]} results one a round
 */
export function processorLines(title, results) {
  const names = new Set(results.flatMap(({ cpu }) => Object.keys(cpu)))
  if (names.size === 0) return []
  const perCommand = pick => median(results.map(result => (1e6 * (pick(result) ?? 0)) / result.answered))
  const load = perCommand(result => result.cpuSeconds)
  const costs = [...names].map(name => ({ name, us: perCommand(({ cpu }) => cpu[name]) }))
  const product = costs.reduce((sum, { us }) => sum + us, 0)
  const large = costs.filter(({ us }) => us >= SMALL_US).sort((a, b) => b.us - a.us)
  const rest = product - large.reduce((sum, { us }) => sum + us, 0)
  const rows = [...large, { name: 'everything else', us: rest }, { name: 'the load itself', us: load }]
  return [
    `Processor time of a money command, ${title}: ${product.toFixed(0)} µs, ${(product / load).toFixed(1)} × the load's own`,
    ...rows.map(({ name, us }) => `  ${name.padEnd(38)} ${us.toFixed(0).padStart(7)}`),
  ]
}
