import { fakeOnly } from '@holdfast/testing/fake-timers'
import { LogGroup } from './log-group.js'
import { CLAIM } from './log-statements.js'

beforeEach(() => void fakeOnly('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'))
afterEach(() => void jest.useRealTimers())

it('leaves no timer behind when an event fails while the group closes', async () => {
  const row = { topic: 'escrow.transaction', partition: 0, read_to: '0', page_end: '1', attempts: 0, outages: 0 }
  const event = { position: '1', id: 'e', key: '1', type: 't', payload: {}, occurred_at: new Date() }
  const query = async ({ name }: { name?: string }) => ({ rows: name === CLAIM.name ? [{ ...row, ...event }] : [] })
  const pool = { connect: async () => ({ query, release: () => {} }) }
  let fail = (_: Error) => {}
  const handler = jest.fn(() => new Promise<void>((_, reject) => (fail = reject)))
  const settings = { group: 'g', topics: ['escrow.transaction'] as const, handler, retryDelaysMs: [30_000] }
  const group = new LogGroup(pool as never, settings)
  group.start()
  await jest.advanceTimersByTimeAsync(0)
  expect(handler).toHaveBeenCalled()
  const closed = group.close()
  fail(new Error('not yet'))
  await closed
  expect(jest.getTimerCount()).toBe(0)
})
