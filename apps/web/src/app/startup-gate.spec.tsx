/** A page that was just opened.
 * @jest-environment-options {"ownModules": true}
 */
import { act, cleanup, render, screen } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { fakeServer } from '../../test/fake-server.js'
import { ben } from '../../test/people.js'
import { forgetAnswers } from '../../test/show.js'
import { StartupGate } from './startup-gate.js'

beforeEach(async () => {
  await forgetAnswers()
  jest.useFakeTimers()
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

const start = () =>
  render(
    // A page that was just opened has no answers, not even of requests that other tests have made.
    <SWRConfig value={{ provider: () => new Map() }}>
      <StartupGate>
        <p>The page</p>
      </StartupGate>
    </SWRConfig>,
  )
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

test('the page is drawn after 1.5 seconds without an answer, and not before', async () => {
  fakeServer({ 'GET /api/auth/user': () => new Promise(() => undefined) })
  start()
  await pass(1_499)
  expect(screen.getByRole('status').textContent).toContain('Loading...')
  expect(screen.queryByText('The page')).toBeNull()
  await pass(1)
  expect(screen.getByText('The page')).toBeTruthy()
})

test('the page is drawn as soon as it is known who is signed in', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  start()
  await pass(50)
  expect(screen.getByText('The page')).toBeTruthy()
})
