import { Failure } from '../dev/failure.js'
import { readSettings } from './settings.js'

it('a run takes its settings from the arguments and the environment', () => {
  expect(readSettings([], {})).toMatchObject({ rounds: 3, seconds: 6, quick: false, telemetry: false })
  expect(readSettings(['--quick', '--telemetry'], {})).toMatchObject({ rounds: 1, telemetryPairs: 4, telemetry: true })
  expect(readSettings(['--deals', '20000', '--keep-plans'], { BENCH_WORLD: '/tmp/w' })).toMatchObject({
    deals: 20_000,
    rounds: 5,
    keepPlans: true,
    folder: '/tmp/w',
  })
  for (const args of [[], ['--quick'], ['--deals', '20000']])
    expect(readSettings(args, { BENCH_ROUNDS: '7', BENCH_SECONDS: '2' })).toMatchObject({ rounds: 7, seconds: 2 })
})

it('a run refuses what it does not know, and what would have no effect', () => {
  const refused = [
    [['--fast'], {}, '--fast'],
    [['--deals', 'x'], {}, '--deals x'],
    [['--deals', '10000'], {}, '--deals 10000'],
    [['--deals', '20000', '--quick'], {}, '--quick'],
    [['--deals', '20000', '--telemetry'], {}, '--telemetry'],
    [['--keep-plans'], {}, '--keep-plans'],
    [[], { BENCH_ROUNDS: 'x' }, 'BENCH_ROUNDS'],
    [['--deals', '20000'], { BENCH_SECONDS: '0' }, 'BENCH_SECONDS'],
  ]
  for (const [args, env, named] of refused) {
    expect(() => readSettings(args, env)).toThrow(Failure)
    expect(() => readSettings(args, env)).toThrow(named)
  }
})
