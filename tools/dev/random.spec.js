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

it('a shuffled list has the same members, in an order that the seed decides', () => {
  const list = [1, 2, 3, 4, 5, 6, 7, 8]
  const shuffled = randomFrom(7).shuffled(list)
  expect(shuffled).not.toEqual(list)
  expect([...shuffled].sort()).toEqual(list)
  expect(randomFrom(7).shuffled(list)).toEqual(shuffled)
  expect(randomFrom(8).shuffled(list)).not.toEqual(shuffled)
})
