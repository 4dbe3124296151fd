import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Processes } from './processes.js'
import { Supervisor } from './supervisor.js'
import { until } from './wait.js'

const STARTS_WITHIN = { withinMs: 10_000, everyMs: 20 }

describe('a process that ends', () => {
  let processes
  beforeEach(() => {
    processes = new Processes()
  })
  const spawn = code => processes.spawn('victim', process.execPath, ['-e', code], { env: {} })
  afterEach(() => processes.close(new Promise(() => {})))

  it('while something hinders its start is started again once nothing does, however long that takes', async () => {
    let hindrance = 'the disk is full'
    let starts = 0
    const supervisor = new Supervisor(processes, null, async () => hindrance)
    let failure = null
    supervisor.failed.catch(error => {
      failure = error
    })
    supervisor.settled()
    supervisor.watch('victim', spawn('process.exit(1)'), () => {
      starts++
      return spawn(hindrance ? 'process.exit(1)' : 'setInterval(() => {}, 1000)')
    })
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
    supervisor.watch('victim', spawn('process.exit(1)'), () => {
      starts++
      return spawn(starts < 8 ? 'process.exit(1)' : 'setInterval(() => {}, 1000)')
    })
    expect(await until(() => starts === 8, STARTS_WITHIN)).toBe(true)
    expect(failure).toBeNull()
  })
})

/** A hindrance that is there when a process has just ended, and over at the next look. */
function hinderedEveryOtherTime() {
  let looks = 0
  return async () => (looks++ % 2 === 0 ? 'the database does not answer' : null)
}
