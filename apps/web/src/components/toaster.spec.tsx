import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast, toastError } from '../lib/toast.js'
import Toaster from './toaster.js'

afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

test('only one message shows at a time: the newest', async () => {
  render(<Toaster />)
  act(() => toast('First'))
  act(() => toastError('Second', 'Nothing was charged.'))
  expect(await screen.findByText('Second')).toBeTruthy()
  expect(screen.getByText('Nothing was charged.')).toBeTruthy()
  expect(screen.queryByText('First')).toBeNull()
})

test('a message sent before the toaster was there is not lost, and can be dismissed', async () => {
  act(() => toast('Early'))
  render(<Toaster />)
  expect(await screen.findByText('Early')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Early')).toBeNull()
})

test('a message goes by itself after five seconds, and not before', async () => {
  jest.useFakeTimers()
  render(<Toaster />)
  act(() => toast('Saved'))
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
  await pass(4_900)
  expect(screen.getAllByText('Saved').length).toBeGreaterThan(0)
  await pass(200)
  expect(screen.queryByText('Saved')).toBeNull()
})
