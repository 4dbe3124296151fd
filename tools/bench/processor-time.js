import { median } from './statistics.js'

/** A process that spends less is not named. */
const SMALL_US = 5

/**
 * Microseconds of processor time that each process spends on one money command, as lines: from the start of the load until the
 * consumers have caught up. The total is also a multiple of the load's own cost. That cost is always the same work, so it
 * shows how fast the host was. None where the system does not tell (see cpu.js).
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
