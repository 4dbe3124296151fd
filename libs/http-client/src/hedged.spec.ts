import { ApiError, ConnectionError } from './api-error.js'
import { HEDGE_AFTER_MS, hedged, MOST_SENDS, repeated } from './hedged.js'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const never = () => new Promise<never>(() => {})
const lost = () => Promise.reject(new ConnectionError('lost'))
const { signal } = new AbortController()

/** Sends in turn what each of these does, and the last of them again and again. */
function inTurn(...sends: (() => Promise<string>)[]) {
  const send = jest.fn(() => sends[Math.min(send.mock.calls.length, sends.length) - 1]!())
  return send
}

describe('a read', () => {
  it('that is answered is sent once', async () => {
    const send = inTurn(async () => 'answer')
    expect(await hedged(send, signal)).toBe('answer')
    await jest.advanceTimersByTimeAsync(10 * HEDGE_AFTER_MS)
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('that gets no answer is sent again, and the first answer counts', async () => {
    const send = inTurn(never, never, async () => 'third')
    const read = hedged(send, signal)
    await jest.advanceTimersByTimeAsync(HEDGE_AFTER_MS - 1)
    expect(send).toHaveBeenCalledTimes(1)
    await jest.advanceTimersByTimeAsync(HEDGE_AFTER_MS + 1)
    expect(await read).toBe('third')
  })

  it('is sent a few times at most', async () => {
    const send = inTurn(never)
    void hedged(send, signal)
    await jest.advanceTimersByTimeAsync(10 * HEDGE_AFTER_MS)
    expect(send).toHaveBeenCalledTimes(MOST_SENDS)
  })

  it('is sent again at once when its connection fails', async () => {
    expect(
      await hedged(
        inTurn(lost, async () => 'second'),
        signal,
      ),
    ).toBe('second')
  })

  it('waits for an attempt that is under way when the others have failed', async () => {
    let answer = (_: string): void => {}
    const slow = () => new Promise<string>(resolve => (answer = resolve))
    const read = hedged(inTurn(slow, lost, lost), signal)
    await jest.advanceTimersByTimeAsync(HEDGE_AFTER_MS)
    answer('slow')
    expect(await read).toBe('slow')
  })

  it('fails when every attempt has failed', async () => {
    const send = inTurn(lost)
    await expect(hedged(send, signal)).rejects.toThrow(ConnectionError)
    expect(send).toHaveBeenCalledTimes(MOST_SENDS)
  })

  it('is not sent again after an error response, or when nobody waits any more', async () => {
    const refused = inTurn(() =>
      Promise.reject(new ApiError({ status: 404 } as ConstructorParameters<typeof ApiError>[0])),
    )
    await expect(hedged(refused, signal)).rejects.toThrow(ApiError)
    const left = inTurn(lost)
    await expect(hedged(left, AbortSignal.abort())).rejects.toThrow(ConnectionError)
    expect([refused.mock.calls.length, left.mock.calls.length]).toEqual([1, 1])
  })
})

describe('a write that may be sent twice', () => {
  it('is not sent again because it takes long', async () => {
    const send = inTurn(never)
    void repeated(send, signal)
    await jest.advanceTimersByTimeAsync(10 * HEDGE_AFTER_MS)
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('is sent again when its replica hangs, and the first answer counts', async () => {
    const hang = (onReplicaHangs: () => void) => {
      setTimeout(onReplicaHangs, 1)
      return never()
    }
    const sends = [hang, async () => 'second']
    const written = repeated(onReplicaHangs => sends.shift()!(onReplicaHangs), signal)
    await jest.advanceTimersByTimeAsync(1)
    expect(await written).toBe('second')
  })

  it('is sent again at once when its connection fails, and not after its time limit', async () => {
    const second = async () => 'second'
    expect(await repeated(inTurn(lost, second), signal)).toBe('second')
    await expect(repeated(inTurn(lost, second), AbortSignal.abort())).rejects.toThrow('lost')
  })
})
