import { isAbove, median, percentile } from './statistics.js'

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)

  it.each([
    [0.5, 50],
    [0.95, 95],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])('of share %j is the smallest value that this share of the values does not exceed', (share, value) => {
    expect(percentile(hundred, share)).toBe(value)
  })

  it('is not a number when nothing was measured', () => {
    expect(percentile([], 0.95)).toBeNaN()
  })
})

describe('median', () => {
  it('is the middle value; of an even number of values, the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1])).toBe(2.5)
    expect(median([9, 1, 2, 4])).toBe(3)
  })
})

it('a value is above its aim when the decimals that are shown are, and when nothing was measured', () => {
  expect([1.2, 1.204, 0, -1].map(value => isAbove(value, 1.2, 2))).toEqual([false, false, false, false])
  expect([1.206, 5, Number.NaN, Infinity].map(value => isAbove(value, 1.2, 2))).toEqual([true, true, true, true])
})
