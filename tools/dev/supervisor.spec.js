import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.js'
import { Processes, STOPS } from './processes.js'
import { Supervisor } from './supervisor.js'
import { until } from './wait.js'

const STARTS_WITHIN = { withinMs: 10_000, everyMs: 20 }
const QUICK = { firstPauseMs: 1, longestPauseMs: 20, lookAgainMs: 5, askEveryMs: 20, silentAsks: 3 }
const RUNS = 'setInterval(() => {}, 1000)'
const nothingHinders = async () => null

describe('a process that ends', () => {
  let processes
  beforeEach(() => {
    processes = new Processes()
  })
  const spawn = code => processes.spawn('victim', process.execPath, ['-e', code], { env: {} })
  afterEach(() => processes.close(new Promise(() => {})))

  it('while something hinders its start is started again once nothing does, however long that takes', async () => {
    /** @type {string | null} */
    let hindrance = 'the disk is full'
    let starts = 0
    const supervisor = new Supervisor(processes, null, async () => hindrance)
    let failure = null
    supervisor.failed.catch(error => {
      failure = error
    })
    supervisor.settled()
    supervisor.watch(
      'victim',
      spawn('process.exit(1)'),
      async () => {
        starts++
        return spawn(hindrance ? 'process.exit(1)' : RUNS)
      },
      async () => true,
    )
    // Longer than the first pauses between two starts take.
    await sleep(2_500)
    expect(starts).toBe(0)
    hindrance = null
    expect(await until(() => starts === 1, STARTS_WITHIN)).toBe(true)
    expect(failure).toBeNull()
  })

  it('again and again does not use up its restarts while something hinders it', async () => {
    const supervisor = new Supervisor(processes, null, hinderedEveryOtherTime())
    let failure = null
    supervisor.failed.catch(error => {
      failure = error
    })
    supervisor.settled()
    let starts = 0
    supervisor.watch(
      'victim',
      spawn('process.exit(1)'),
      async () => {
        starts++
        return spawn(starts < 8 ? 'process.exit(1)' : RUNS)
      },
      async () => true,
    )
    expect(await until(() => starts === 8, STARTS_WITHIN)).toBe(true)
    expect(failure).toBeNull()
  })

  it('again and again is started again for as long as it dies, with pauses that grow up to a limit', async () => {
    const supervisor = new Supervisor(processes, null, nothingHinders, {
      ...QUICK,
      firstPauseMs: 40,
      longestPauseMs: 160,
    })
    let failure = null
    supervisor.failed.catch(error => {
      failure = error
    })
    supervisor.settled()
    const starts = []
    supervisor.watch(
      'victim',
      spawn('process.exit(1)'),
      async () => {
        starts.push(performance.now())
        return spawn(starts.length < 8 ? 'process.exit(1)' : RUNS)
      },
      async () => true,
    )
    expect(await until(() => starts.length === 8, STARTS_WITHIN)).toBe(true)
    expect(failure).toBeNull()
    const gaps = starts.slice(1).map((at, n) => at - starts[n])
    // A timer of Node may end up to a millisecond early.
    for (const [n, gap] of gaps.entries()) expect(gap).toBeGreaterThan(Math.min(40 * 2 ** (n + 1), 160) - 2)
  })

  it('while it is started again is started once more', async () => {
    const supervisor = new Supervisor(processes, null, nothingHinders, QUICK)
    let failure = null
    supervisor.failed.catch(error => {
      failure = error
    })
    supervisor.settled()
    let starts = 0
    supervisor.watch(
      'victim',
      spawn('process.exit(1)'),
      async () => {
        starts++
        if (starts < 8) throw new Failure('PostgreSQL did not start')
        return spawn(RUNS)
      },
      async () => true,
    )
    expect(await until(() => starts === 8, STARTS_WITHIN)).toBe(true)
    expect(failure).toBeNull()
  })
})

describe('a process that runs', () => {
  let processes
  beforeEach(() => {
    processes = new Processes()
  })
  afterEach(() => processes.close(new Promise(() => {})))

  /** Watches a process that runs, and answers how often it was started again. */
  function watched(answers, code = RUNS) {
    const supervisor = new Supervisor(processes, null, nothingHinders, QUICK)
    const run = () => processes.spawn('victim', process.execPath, ['-e', code], { env: {}, stops: STOPS.database })
    supervisor.settled()
    let starts = 0
    supervisor.watch(
      'victim',
      run(),
      async () => {
        starts++
        return run()
      },
      () => answers(starts),
    )
    return () => starts
  }

  it('and no longer answers is ended and started again', async () => {
    const starts = watched(async starts => starts === 1)
    expect(await until(() => starts() === 1, STARTS_WITHIN)).toBe(true)
    await sleep(10 * QUICK.askEveryMs)
    expect(starts()).toBe(1)
  })

  it('and misses some answers goes on running', async () => {
    let asks = 0
    const starts = watched(async () => ++asks % QUICK.silentAsks === 0)
    expect(await until(() => asks > 5 * QUICK.silentAsks, STARTS_WITHIN)).toBe(true)
    expect(starts()).toBe(0)
  })
})

/** A hindrance that is there when a process has just ended, and over at the next look. */
function hinderedEveryOtherTime() {
  let looks = 0
  return async () => (looks++ % 2 === 0 ? 'the database does not answer' : null)
}
