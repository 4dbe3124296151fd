import { LogReplay, REPLAY_POLL_MS } from './log-replay.js'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** A replay whose database cannot be reached. */
function unreachable() {
  const connect = jest.fn(async () => {
    throw new Error('the database is away')
  })
  return { connect, replay: new LogReplay({ connect } as never, 'g', async () => {}, 1) }
}

it('looks again for requested replays after a failure, although no further notification comes', async () => {
  const { connect, replay } = unreachable()
  replay.start()
  for (const looks of [1, 2, 3]) {
    await jest.advanceTimersByTimeAsync(0)
    expect(connect).toHaveBeenCalledTimes(looks)
    await jest.advanceTimersByTimeAsync(REPLAY_POLL_MS)
  }
  await replay.close()
})

it('begins nothing when a notification comes after it was closed', async () => {
  const { connect, replay } = unreachable()
  replay.start()
  await replay.close()
  replay.wake()
  await jest.advanceTimersByTimeAsync(REPLAY_POLL_MS)
  expect(connect).toHaveBeenCalledTimes(1)
})
