import { afterEach, describe, expect, it } from '@jest/globals'
import { Processes } from './processes.js'
import { Supervisor } from './supervisor.js'
import { sleep, until } from './wait.js'

const STARTS_WITHIN = { withinMs: 10_000, everyMs: 20 }

describe('a process that ends', () => {
  const processes = new Processes()
  const spawn = code => processes.spawn('victim', process.execPath, ['-e', code], { env: {} })
  afterEach(() => processes.close(new Promise(() => {})))

  it('over a full disk is started again once there is room, however long that takes', async () => {
    let room = false
    let starts = 0
    const supervisor = new Supervisor(processes, null, () => room)
    let gaveUp = null
    supervisor.failed.catch(error => {
      gaveUp = error
    })
    supervisor.settled()
    supervisor.watch('victim', spawn('process.exit(1)'), () => {
      starts++
      return spawn(room ? 'setInterval(() => {}, 1000)' : 'process.exit(1)')
    })
    // Longer than the first pauses between two starts take.
    await sleep(2_500)
    expect(starts).toBe(0)
    room = true
    expect(await until(() => starts === 1, STARTS_WITHIN)).toBe(true)
    expect(gaveUp).toBeNull()
  })
})
