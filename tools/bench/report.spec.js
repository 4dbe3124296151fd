import { processorLines } from './processor-time.js'
import { errorLines, resultLines, unsteadyLines } from './report.js'

const steady = { seconds: 3, steady: true }
const roundOf = rates => {
  const [tpcb, uniform, hot, listingBare, listing] = rates.map(rate => ({ rate, warmUp: steady }))
  return { tpcb, uniform, hot, listingBare, listing }
}
const rounds = [
  roundOf([5000, 2000, 1900, 10_000, 9000]),
  roundOf([5000, 2050, 1900, 10_000, 9100]),
  roundOf([5000, 4000, 1000, 1000, 9100]),
]
const tail = { p95: 41.26, p99: 160, errors: 2 }

describe('the lines for machines', () => {
  it('give the median of each ratio, the tail, and the aims', () => {
    expect(resultLines(rounds, tail)).toEqual([
      'RATIO money_commands_per_tpcb 0.41 aim 0.60',
      'RATIO listing_get_per_bare 0.91 aim 1.20',
      'RATIO hot_seller_per_uniform 0.93 aim 0.95',
      'TAIL money_commands p95 41.3 aim 50 p99 160.0 aim 150 errors 2 aim 0',
    ])
  })
})

describe('the report', () => {
  it('counts the requests without a success, and names the first problem', () => {
    expect(errorLines('money', [{ errors: 0 }, { errors: 0 }])).toEqual([])
    const problem = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0'
    expect(errorLines('money', [{ errors: 1 }, { errors: 2, firstProblem: problem }])).toEqual([
      '3 errors of money: HTTP/1.1 503 Service Unavailable',
    ])
    expect(errorLines('money', [{ errors: 1 }])).toEqual(['1 errors of money: no answer in time'])
  })

  it('names a load that was measured before its rate was steady', () => {
    const restless = { ...rounds[0], hot: { rate: 1, warmUp: { seconds: 6, steady: false } } }
    expect(unsteadyLines({ warmUp: steady }, rounds)).toEqual([])
    expect(unsteadyLines({ warmUp: { seconds: 15, steady: false } }, [rounds[0], restless])).toEqual([
      '  measured before the rate was steady:',
      '    the first warm-up, after 15 s',
      '    round 2, money commands, one hot seller, after 6 s',
    ])
  })

  it('gives the processor time of a command by process, and as a multiple of that of the load', () => {
    const round = { answered: 1000, cpuSeconds: 0.05, cpu: { gateway: 0.2, escrow: 0.3, idle: 0.001, relay: 0.002 } }
    expect(processorLines('many sellers', [round])).toEqual([
      "Processor time of a money command, many sellers: 503 µs, 10.1 × the load's own",
      `  ${'escrow'.padEnd(38)}     300`,
      `  ${'gateway'.padEnd(38)}     200`,
      `  ${'everything else'.padEnd(38)}       3`,
      `  ${'the load itself'.padEnd(38)}      50`,
    ])
  })

  it('leaves the processor time out where the system does not measure it', () => {
    expect(processorLines('many sellers', [{ answered: 1, cpuSeconds: 1, cpu: {} }])).toEqual([])
  })
})
