import { fakeOnly } from '@holdfast/testing/fake-timers'
import { Load } from './load.js'

afterEach(() => {
  jest.useRealTimers()
})

it('a load that ran out of deals says so when it is asked, and ends nothing by itself', async () => {
  fakeOnly('setInterval', 'clearInterval')
  const load = new Load({ baseUrl: 'http://localhost', webhookSecret: '', deals: { toFund: 1, toAccept: 1, count: 0 } })
  load.start()
  expect(() => load.check()).not.toThrow()
  await jest.advanceTimersByTimeAsync(1_000)
  expect(() => load.check()).toThrow('the load ran out of deals')
  await load.stop()
})
