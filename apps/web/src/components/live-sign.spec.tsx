import { act, cleanup, render, screen } from '@testing-library/react'
import { liveConnected, liveInterrupted } from '../lib/live/live-status.js'
import { LiveSign, StaleNote } from './live-sign.js'

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-30T14:00:00') })
})
afterEach(() => {
  act(liveConnected)
  cleanup()
  jest.useRealTimers()
})

const shown = () => [
  screen.queryByText(/Live updates are interrupted\. This page may be out of date since 2:00\sPM\./) !== null,
  screen.queryByText(/As of 2:00\sPM/) !== null,
]

test('an interruption is shown in words, with the time from which on changes may be missing', () => {
  render(
    <>
      <LiveSign />
      <StaleNote />
    </>,
  )
  expect(shown()).toEqual([false, false])
  act(liveInterrupted)
  act(() => jest.advanceTimersByTime(60_000))
  expect(shown()).toEqual([true, true])
  act(liveConnected)
  expect(shown()).toEqual([false, false])
})

test('a connection that is back within moments is not mentioned', () => {
  render(<LiveSign />)
  act(liveInterrupted)
  act(() => jest.advanceTimersByTime(1_000))
  act(liveConnected)
  act(() => jest.advanceTimersByTime(60_000))
  expect(shown()).toEqual([false, false])
})
