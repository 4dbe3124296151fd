import { dealEvent } from '../../test/scratch-log.js'
import { tooManyConnections } from '../../test/transport-tests.js'
import { type Delivery, UNKNOWN_TYPE_RETRY_MS, UnknownTypeError } from '../transport.js'
import { LaneHandler } from './lane.js'

const rowOf = (key: number) => {
  const { id, type, payload } = dealEvent(key, 0)
  const event = { id, key: String(key), type, payload, occurred_at: new Date(), request_id: null, traceparent: null }
  return { topic: 'escrow.transaction' as const, partition: 0, position: String(key), ...event }
}

it('counts and logs a failure behind an event that an outage holds back, but logs it not at every retry', async () => {
  const onOutcome = jest.fn()
  const handler = async ({ event }: Delivery): Promise<void> => {
    throw event.key === '1' ? tooManyConnections() : new Error('a fault of this handler')
  }
  const topics = ['escrow.transaction'] as const
  const lanes = new LaneHandler({ group: 'g', topics, handler, retryDelaysMs: [0], onOutcome })
  const warn = jest.spyOn(Reflect.get(lanes, 'logger'), 'warn')
  const events = [rowOf(1), rowOf(2)]
  const lane = { topic: topics[0], partition: 0, read_to: '0', page_end: '2', attempts: 0, outages: 0, events }
  for (const _ of [1, 2]) {
    const outcome = await lanes.handle(lane, Date.now() + 1_000)
    expect(outcome).toMatchObject({ position: '0', failing: { position: '1', outages: 1 } })
  }
  expect(onOutcome.mock.calls.flat().sort()).toEqual(['postponed', 'postponed', 'retried', 'retried'])
  expect(warn.mock.calls.map(([about]) => (about as { event: string }).event).sort()).toEqual(
    events.map(({ id }) => id).sort(),
  )
})

it('tries an event of an unknown type again soon, however often it has, so that a process that knows the type gets it', async () => {
  const topics = ['escrow.transaction'] as const
  const handler = async (): Promise<void> => {
    throw new UnknownTypeError('novel')
  }
  const lanes = new LaneHandler({ group: 'g', topics, handler, retryDelaysMs: [30_000] })
  const tried = { attempts: 100, outages: 100 }
  const lane = { topic: topics[0], partition: 0, read_to: '0', page_end: '1', ...tried, events: [rowOf(1)] }
  const outcome = await lanes.handle(lane, Date.now() + 1_000)
  expect(outcome).toMatchObject({ position: '0', failing: { outages: 101, retryMs: UNKNOWN_TYPE_RETRY_MS } })
  expect(outcome).not.toHaveProperty('deadLetter')
})
