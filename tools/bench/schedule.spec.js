import { poissonArrivals } from './schedule.js'
import { percentile } from './statistics.js'

describe('poissonArrivals', () => {
  const arrivals = poissonArrivals({ rate: 1_000, seconds: 30 })
  const gaps = arrivals.slice(1).map((at, i) => at - arrivals[i])

  it('come in order, within the time, at the rate', () => {
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0)
    expect(arrivals.at(-1)).toBeLessThan(30_000)
    // The standard deviation of the count is its square root: 173.
    expect(Math.abs(arrivals.length - 30_000)).toBeLessThan(700)
  })

  it('have the gaps of independent clients: half of them are shorter than 0.69 times the mean', () => {
    expect(percentile(gaps, 0.5)).toBeCloseTo(Math.LN2, 1)
    expect(percentile(gaps, 0.99)).toBeCloseTo(Math.log(100), 0)
  })

  it('are the same for the same seed, and different for another', () => {
    expect(poissonArrivals({ rate: 1_000, seconds: 30 })).toEqual(arrivals)
    expect(poissonArrivals({ rate: 1_000, seconds: 30, seed: 2 })).not.toEqual(arrivals)
  })
})
