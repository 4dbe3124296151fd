import { transactionShipped } from '@holdfast/contracts/events'
import { fakeOnly } from '@holdfast/testing/fake-timers'
import { dealEvent } from '../../test/scratch-log.js'
import { PoisonEventError, UNKNOWN_TYPE_BREAK_MS, UNKNOWN_TYPE_WAIT_MS, UnknownTypeError } from '../transport.js'
import { EventsServer } from './events-server.js'

let server: EventsServer
beforeEach(() => {
  fakeOnly('Date', 'performance')
  server = new EventsServer({} as never, 'listing-svc', undefined)
})
afterEach(() => {
  jest.useRealTimers()
})
const handle = (type: string, ageMs = 0) => {
  const occurredAt = new Date(Date.now() - ageMs).toISOString()
  return server.handle({ event: { ...dealEvent(1, 0), type, occurredAt }, attempt: 1 })
}

const NOVEL = 'escrow.transaction.novel.v1'
/** Tries an old event of an unknown type every two seconds, for as long as it waits at least. */
async function wait() {
  for (let waited = 0; waited <= UNKNOWN_TYPE_WAIT_MS; waited += 2_000) {
    await expect(handle(NOVEL, 60 * 60_000)).rejects.toThrow(UnknownTypeError)
    jest.advanceTimersByTime(2_000)
  }
}

it('lets an event of a type that this release does not know wait from its first attempt on, for a limited time', async () => {
  await wait()
  await expect(handle(NOVEL, UNKNOWN_TYPE_WAIT_MS + 60_000)).rejects.toThrow(PoisonEventError)
})

it('lets a new event of such a type wait, too, after another one has waited for too long', async () => {
  await wait()
  await expect(handle(NOVEL, UNKNOWN_TYPE_WAIT_MS - 60_000)).rejects.toThrow(UnknownTypeError)
  await expect(handle('escrow.transaction.other.v1', 60 * 60_000)).rejects.toThrow(UnknownTypeError)
})

it('begins the wait again after a break, as after an outage', async () => {
  await wait()
  jest.advanceTimersByTime(UNKNOWN_TYPE_BREAK_MS)
  await wait()
})

it('has nothing to do for a replayed event of a type that it knows and does not handle', async () => {
  await expect(handle(transactionShipped.type)).resolves.toBeUndefined()
})
