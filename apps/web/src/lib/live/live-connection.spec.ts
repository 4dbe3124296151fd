import type { LiveEvent } from '@holdfast/contracts/messages'
import { startLive } from './live-connection.js'

const PAID: LiveEvent = { kind: 'transaction', transactionId: 7, type: 'escrow.transaction.paid.v1' }
const WRITTEN: LiveEvent = { kind: 'message', transactionId: 7, type: 'messaging.message.posted.v1' }
const RESET: LiveEvent = { kind: 'reset', type: 'reset' }

/** The browser's connection, moved by hand. */
class FakeSource {
  static readonly CLOSED = 2
  static open: FakeSource[] = []
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null
  onerror: (() => void) | null = null
  constructor(readonly url: string) {
    FakeSource.open.push(this)
  }
  accept() {
    this.readyState = 1
    this.onopen?.()
  }
  send(event: LiveEvent) {
    if (this.readyState !== FakeSource.CLOSED) this.onmessage?.({ data: JSON.stringify(event) })
  }
  refuse() {
    this.readyState = FakeSource.CLOSED
    this.onerror?.()
  }
  close() {
    this.readyState = FakeSource.CLOSED
    FakeSource.open = FakeSource.open.filter(source => source !== this)
  }
}

class FakeChannel {
  static all: FakeChannel[] = []
  onmessage: ((message: { data: unknown }) => void) | null = null
  constructor(readonly name: string) {
    FakeChannel.all.push(this)
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.all) if (other !== this && other.name === this.name) other.onmessage?.({ data })
  }
  close() {
    FakeChannel.all = FakeChannel.all.filter(channel => channel !== this)
  }
}

/** One lock for each name, given to the next one that waits when its holder is done. */
class FakeLocks {
  private readonly tails = new Map<string, Promise<unknown>>()
  private readonly held = new Set<string>()

  async request(
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    run: (lock: { name: string } | null) => Promise<unknown>,
  ): Promise<unknown> {
    if (options.ifAvailable && this.held.has(name)) return run(null)
    const before = this.tails.get(name) ?? Promise.resolve()
    this.held.add(name)
    const turn = before.then(() => {
      options.signal?.throwIfAborted()
      return run({ name })
    })
    this.tails.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }
}

const settle = () => jest.advanceTimersByTimeAsync(0)
const stops: (() => void)[] = []

function tab(userId = 'ben') {
  const events: LiveEvent[] = []
  const connected: boolean[] = []
  const onRefused = jest.fn()
  const stop = startLive({
    url: '/api/events',
    userId,
    onEvent: event => events.push(event),
    onRefused,
    onConnected: state => connected.push(state),
  })
  stops.push(stop)
  return { events, connected, onRefused, stop }
}

beforeEach(() => {
  jest.useFakeTimers()
  Object.assign(globalThis, { EventSource: FakeSource, BroadcastChannel: FakeChannel })
  Object.defineProperty(navigator, 'locks', { value: new FakeLocks(), configurable: true })
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await settle()
  FakeSource.open = []
  jest.useRealTimers()
})

describe('tabs of one browser', () => {
  test('share one connection and get the same events', async () => {
    const [first, second] = [tab(), tab()]
    await settle()
    expect(FakeSource.open).toHaveLength(1)
    FakeSource.open[0]?.accept()
    FakeSource.open[0]?.send(PAID)
    expect(first.events).toEqual([PAID])
    expect(second.events).toEqual([PAID])
  })

  test('a new one gets the events from the time in which its page was loading, and the others get none twice', async () => {
    const [first, second] = [tab(), tab()]
    await settle()
    FakeSource.open[0]?.accept()
    FakeSource.open[0]?.send(PAID)
    await jest.advanceTimersByTimeAsync(61_000)
    FakeSource.open[0]?.send(WRITTEN)
    await jest.advanceTimersByTimeAsync(59_000)
    const third = tab()
    await settle()
    expect(third.events).toEqual([WRITTEN])
    expect([first.events, second.events]).toEqual([
      [PAID, WRITTEN],
      [PAID, WRITTEN],
    ])
  })

  test('when the one that holds it goes, the next takes over and looks at everything again', async () => {
    const [first, second] = [tab(), tab()]
    await settle()
    FakeSource.open[0]?.accept()
    first.stop()
    await settle()
    expect(FakeSource.open).toHaveLength(1)
    FakeSource.open[0]?.accept()
    expect(second.events).toEqual([RESET])
  })

  test('of two people get no events of each other', async () => {
    const [ben, ana] = [tab('ben'), tab('ana')]
    await settle()
    expect(FakeSource.open).toHaveLength(2)
    FakeSource.open[0]?.send(PAID)
    expect([ben.events, ana.events]).toEqual([[PAID], []])
  })
})

describe('whether events arrive', () => {
  test('is known in every tab, and in one that is opened later', async () => {
    const first = tab()
    await settle()
    const [source] = FakeSource.open
    source?.accept()
    expect(first.connected).toEqual([true])
    source?.onerror?.()
    expect(first.connected).toEqual([true, false])
    const second = tab()
    await settle()
    expect(second.connected).toEqual([false])
    source?.accept()
    expect([first.connected.at(-1), second.connected.at(-1)]).toEqual([true, true])
  })

  test('a refused connection counts as interrupted', async () => {
    const { connected } = tab()
    await settle()
    FakeSource.open[0]?.refuse()
    await settle()
    expect(connected).toEqual([false])
  })
})

describe('a connection that is refused', () => {
  test('says so, is tried again after a pause, and what was missed is a reset', async () => {
    const { events, onRefused } = tab()
    await settle()
    FakeSource.open[0]?.refuse()
    await settle()
    expect(onRefused).toHaveBeenCalledTimes(1)
    expect(FakeSource.open).toHaveLength(0)
    await jest.advanceTimersByTimeAsync(4_000)
    FakeSource.open[0]?.accept()
    expect(events).toEqual([RESET])
  })

  test('is tried again after longer and longer pauses, of a minute at most', async () => {
    tab()
    await settle()
    let tries = 0
    for (let second = 0; second < 600; second++) {
      for (const source of FakeSource.open) {
        tries++
        source.refuse()
      }
      await jest.advanceTimersByTimeAsync(1_000)
    }
    expect(tries).toBeGreaterThanOrEqual(10)
    expect(tries).toBeLessThan(20)
  })

  test('one that breaks is resumed by the browser', async () => {
    const { onRefused } = tab()
    await settle()
    const [source] = FakeSource.open
    source?.accept()
    source?.onerror?.()
    await settle()
    expect(FakeSource.open).toEqual([source])
    expect(onRefused).not.toHaveBeenCalled()
  })

  test('one that breaks before it was ever open begins with a reset, and resumes afterwards without one', async () => {
    const { events } = tab()
    await settle()
    const [source] = FakeSource.open
    source?.onerror?.()
    source?.accept()
    expect(events).toEqual([RESET])
    source?.onerror?.()
    source?.accept()
    expect(events).toEqual([RESET])
  })
})

test('once stopped, no event arrives and nothing is open', async () => {
  const { events, stop } = tab()
  await settle()
  const [source] = FakeSource.open
  source?.accept()
  source?.send(PAID)
  stop()
  await settle()
  source?.send(WRITTEN)
  expect(FakeSource.open).toEqual([])
  expect(events).toEqual([PAID])
})
