import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../test/fake-server.js'
import { ben } from '../../test/people.js'
import { forgetAnswers } from '../../test/show.js'
import { toastError } from '../lib/toast.js'

const notLoaded = () => {
  throw new TypeError('Failed to fetch dynamically imported module')
}
const liveStatus = { liveConnected: vi.fn(), liveInterrupted: vi.fn() }
vi.doMock('../components/toaster.js', notLoaded)
vi.doMock('../lib/live/live-events.js', notLoaded)
vi.doMock('../lib/live/live-status.js', () => liveStatus)
const { Later } = await import('./later.js')

beforeEach(async () => {
  await forgetAnswers()
  vi.spyOn(console, 'error').mockReturnValue()
  Object.assign(window, { requestIdleCallback: setTimeout, cancelIdleCallback: clearTimeout })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('without their code the page stays, it is called out of date, and a message is plain text', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  render(
    <>
      <p>The page</p>
      <Later />
    </>,
  )
  await waitFor(() => expect(liveStatus.liveInterrupted).toHaveBeenCalled())
  expect(screen.getByText('The page')).toBeTruthy()
  act(() => toastError('The payment was not sent', 'Nothing was charged.'))
  expect((await screen.findByRole('alert')).textContent).toContain('The payment was not sent Nothing was charged.')
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('alert')).toBeNull()
})
