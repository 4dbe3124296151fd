import { afterEach, expect, it, vi } from 'vitest'
import { Load } from './load.js'

afterEach(() => {
  vi.useRealTimers()
})

it('a load that ran out of deals says so when it is asked, and ends nothing by itself', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const load = new Load({ baseUrl: 'http://localhost', webhookSecret: '', deals: { toFund: 1, toAccept: 1, count: 0 } })
  load.start()
  expect(() => load.check()).not.toThrow()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(() => load.check()).toThrow('the load ran out of deals')
  await load.stop()
})
