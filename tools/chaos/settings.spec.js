import { readSettings } from './settings.js'

it('a run takes its settings from the arguments, and refuses what it does not know', () => {
  expect(readSettings(['--seed', '7', '--seconds', '20'])).toMatchObject({
    seed: 7,
    seconds: 20,
    replicas: 2,
    distributed: false,
  })
  expect(readSettings(['--distributed', '--seed', '7'])).toMatchObject({ seed: 7, distributed: true })
  expect(readSettings(['--kills', '1000'])).toMatchObject({ kills: 1_000, seconds: 5_060 })
  expect(readSettings(['--kills', '10', '--seconds', '90'])).toMatchObject({ kills: 10, seconds: 90 })
  expect(readSettings(['--restarts'])).toEqual({ restarts: true })
  for (const args of [
    ['--seed'],
    ['--restarts', '--seed', '7'],
    ['--seconds', 'x'],
    ['--speed', '1'],
    ['seed', '7'],
    ['--toString', '1'],
  ])
    expect(() => readSettings(args)).toThrow('is unknown')
})
