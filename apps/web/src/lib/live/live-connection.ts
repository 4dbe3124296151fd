import type { LiveEvent } from '@holdfast/contracts/messages'
import { readLiveEvent } from './affected.js'

const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 60_000

const RESET: LiveEvent = { kind: 'reset', type: 'reset' }

interface LiveOptions {
  /** Address of the event stream. */
  readonly url: string
  /** Tabs that share it share the connection: one user in one browser. */
  readonly userId: string
  readonly onEvent: (event: LiveEvent) => void
  /** The server refused the stream: perhaps nobody is signed in any more. */
  readonly onRefused: () => void
}

/**
 * Hears live events for as long as it is not stopped. One tab of a browser holds the connection (a Web Lock says which)
 * and tells the others; when it goes, the next one takes over. What may have been missed in between is a `reset`.
 *
 * @returns stops it
 */
export function startLive({ url, userId, onEvent, onRefused }: LiveOptions): () => void {
  const name = `holdfast:live:${userId}`
  const channel = new BroadcastChannel(name)
  const stop = new AbortController()
  channel.onmessage = message => onEvent(message.data as LiveEvent)
  const tell = (event: LiveEvent) => {
    onEvent(event)
    channel.postMessage(event)
  }
  const lead = (missedSome: boolean) => hold({ url, tell, onRefused, missedSome, signal: stop.signal })

  void becomeLeader(name, stop.signal, lead)
  return () => {
    stop.abort()
    channel.close()
  }
}

async function becomeLeader(
  name: string,
  signal: AbortSignal,
  lead: (missedSome: boolean) => Promise<void>,
): Promise<void> {
  // Without locks (a page that is not served safely) every tab listens for itself.
  if (!('locks' in navigator)) return lead(false)
  const led = await navigator.locks.request(name, { ifAvailable: true }, async lock => {
    if (lock) await lead(false)
    return lock !== null
  })
  if (led || signal.aborted) return
  try {
    await navigator.locks.request(name, { signal }, () => lead(true))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

interface Hold {
  readonly url: string
  readonly tell: (event: LiveEvent) => void
  readonly onRefused: () => void
  readonly missedSome: boolean
  readonly signal: AbortSignal
}

/** Keeps the connection open. A broken one the browser resumes by itself; a refused one is tried again with pauses. */
async function hold({ url, tell, onRefused, missedSome, signal }: Hold): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS
  let stale = missedSome
  while (!signal.aborted) {
    const opened = await listen(url, signal, {
      onOpen: () => {
        if (stale) tell(RESET)
        stale = false
      },
      onEvent: tell,
    })
    if (signal.aborted) return
    onRefused()
    stale = true
    pauseMs = opened ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS)
    await pause(pauseMs, signal)
  }
}

/** One connection, until it is stopped or refused. Answers whether it was ever open. */
function listen(
  url: string,
  signal: AbortSignal,
  { onOpen, onEvent }: { onOpen: () => void; onEvent: (event: LiveEvent) => void },
): Promise<boolean> {
  return new Promise(resolve => {
    let opened = false
    const source = new EventSource(url)
    const end = () => {
      source.close()
      signal.removeEventListener('abort', end)
      resolve(opened)
    }
    signal.addEventListener('abort', end)
    source.onopen = () => {
      opened = true
      onOpen()
    }
    source.onmessage = message => {
      const event = readLiveEvent(String(message.data))
      if (event) onEvent(event)
    }
    source.onerror = () => source.readyState === EventSource.CLOSED && end()
  })
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
