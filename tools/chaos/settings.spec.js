import { expect, it } from 'vitest'
import { randomFrom } from './random.js'
import { readSettings } from './settings.js'

it('a run takes its settings from the arguments, and refuses what it does not know', () => {
  expect(readSettings(['--seed', '7', '--seconds', '20'])).toMatchObject({
    ...{ seed: 7, seconds: 20, replicas: 2, distributed: false },
  })
  expect(readSettings(['--distributed', '--seed', '7'])).toMatchObject({ seed: 7, distributed: true })
  expect(readSettings(['--kills', '1000'])).toMatchObject({ kills: 1_000, seconds: 5_060 })
  expect(readSettings(['--kills', '10', '--seconds', '90'])).toMatchObject({ kills: 10, seconds: 90 })
  for (const args of [['--seed'], ['--seconds', 'x'], ['--speed', '1'], ['seed', '7'], ['--toString', '1']])
    expect(() => readSettings(args)).toThrow('is unknown')
})

it('the same seed gives the same faults', () => {
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
