import { act, cleanup, screen } from '@testing-library/react'
import { fakeServer } from '../../../test/fake-server.js'
import { standardPlan } from '../../../test/plans.js'
import { show } from '../../../test/show.js'
import { useConfirmedPremium } from './use-confirmed-premium.js'

afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

function Waiting() {
  const { isConfirmed, isSlow } = useConfirmedPremium()
  return <p>{isConfirmed ? 'confirmed' : isSlow ? 'slow' : 'waits'}</p>
}

test('the server is asked each second, and not any more after two minutes', async () => {
  jest.useFakeTimers()
  const { calls } = fakeServer({ 'GET /api/subscription': () => ({ body: standardPlan }) })
  show(<Waiting />)
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
  await pass(20_000)
  expect(screen.getByText('slow')).toBeTruthy()
  expect(calls.length).toBeGreaterThan(15)
  await pass(110_000)
  const asked = calls.length
  expect(asked).toBeGreaterThan(100)
  await pass(600_000)
  expect(calls).toHaveLength(asked)
})
