import { isSteady } from './steadiness.js'

describe('isSteady', () => {
  it.each([
    [[], false],
    [[1000, 1000], false],
    [[1000, 1010, 990], true],
    [[400, 700, 1000, 1010, 990], true],
    [[1000, 1000, 1000, 1500], false],
    [[700, 850, 1000], false],
    [[0, 0, 0], false],
  ])('of the rates %j is %j', (rates, steady) => {
    expect(isSteady(rates)).toBe(steady)
  })
})
