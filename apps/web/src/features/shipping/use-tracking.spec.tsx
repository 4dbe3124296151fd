import { act, cleanup } from '@testing-library/react'
import { fakeServer } from '../../../test/fake-server.js'
import { forgetAnswers, show } from '../../../test/show.js'
import { useTracking } from './use-tracking.js'

beforeEach(async () => {
  await forgetAnswers()
  jest.useFakeTimers()
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

const FIVE_MINUTES = 300_000

function Parcel({ number }: { number: string }) {
  const { data, lookedUp } = useTracking(number)
  return <p>{lookedUp ? (data?.status ?? 'unknown') : 'not looked up'}</p>
}

const parcel = (trackingNumber: string) => ({
  trackingNumber,
  carrier: null,
  status: 'in_transit',
  statusDescription: 'In transit',
  location: null,
  estimatedDelivery: null,
  lastUpdate: '2026-11-28T10:00:00.000Z',
  delivered: false,
})

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

test.each([
  ['12345', 0],
  ['123456', 1],
])('the number %s is looked up %d times', async (number, times) => {
  const { calls } = fakeServer({ [`GET /api/tracking/${number}`]: () => ({ body: parcel(number) }) })
  show(<Parcel number={number} />)
  await pass(1_000)
  expect(calls).toHaveLength(times)
})

test('a known parcel is looked up again after five minutes, and not before', async () => {
  const { calls } = fakeServer({ 'GET /api/tracking/HF123456': () => ({ body: parcel('HF123456') }) })
  show(<Parcel number="HF123456" />)
  await pass(1_000)
  await pass(FIVE_MINUTES - 2_000)
  expect(calls).toHaveLength(1)
  await pass(2_000)
  expect(calls).toHaveLength(2)
})
