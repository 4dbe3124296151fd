import { expect, it } from 'vitest'
import { randomFrom } from './random.js'

it('the same seed gives the same numbers', () => {
  const draw = seed => {
    const random = randomFrom(seed)
    return Array.from({ length: 50 }, () => [random.number(), random.between(3, 5), random.oneOf('abc')])
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
  for (const [number, between] of draw(9)) {
    expect(number).toBeLessThan(1)
    expect(between).toBeGreaterThanOrEqual(3)
    expect(between).toBeLessThan(5)
  }
  expect(new Set(draw(9).map(([, , letter]) => letter))).toEqual(new Set('abc'))
})
