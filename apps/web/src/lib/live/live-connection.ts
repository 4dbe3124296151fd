import type { LiveEvent } from '@holdfast/contracts/messages'
import { readLiveEvent } from './changes.js'

const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 60_000

/** How long the page of a new tab may load its data before it listens. The gateway counts on the same time for a new stream. */
const LOADING_MS = 60_000

const RESET: LiveEvent = { kind: 'reset', type: 'reset' }

interface LiveOptions {
  /** Address of the event stream. */
  readonly url: string
  /** Tabs with the same user share one connection. */
  readonly userId: string
  readonly onEvent: (event: LiveEvent) => void
  /** The server refused the stream: perhaps the session has ended. */
  readonly onRefused: () => void
  /** The connection was opened, or is interrupted. May be called again with the same value. */
  readonly onConnected: (connected: boolean) => void
}

/**
 * What the tab with the connection sends to the others, and `ask`, with which a new tab learns how it stands. `recent` answers
 * it: the events from the time in which the page of that tab was loading.
 */
type TabMessage =
  | { readonly about: 'event'; readonly event: LiveEvent }
  | { readonly about: 'connected'; readonly connected: boolean }
  | { readonly about: 'ask'; readonly tab: string }
  | { readonly about: 'recent'; readonly tab: string; readonly events: readonly LiveEvent[] }

/**
 * Delivers live events until it is stopped. One tab of a browser holds the connection (a Web Lock decides which) and
 * passes every event on to the others. When that tab is closed, the next one connects. Events that may have been missed
 * in between arrive as one `reset`.
 *
 * @returns stops it
 */
export function startLive({ url, userId, onEvent, onRefused, onConnected }: LiveOptions): () => void {
  const name = `holdfast:live:${userId}`
  const channel = new BroadcastChannel(name)
  const stop = new AbortController()
  const tab = crypto.getRandomValues(new Uint32Array(2)).join('-')
  /** Null in a tab that does not hold the connection. */
  let own: boolean | null = null
  let recent: { readonly event: LiveEvent; readonly atMs: number }[] = []
  const answer = (asking: string) => {
    if (own === null) return
    channel.postMessage({ about: 'connected', connected: own })
    const events = recent.filter(({ atMs }) => isRecent(atMs)).map(({ event }) => event)
    if (events.length > 0) channel.postMessage({ about: 'recent', tab: asking, events })
  }
  channel.onmessage = ({ data }: { data: TabMessage }) => {
    if (data.about === 'event') onEvent(data.event)
    if (data.about === 'connected') onConnected(data.connected)
    if (data.about === 'ask') answer(data.tab)
    if (data.about === 'recent' && data.tab === tab) for (const event of data.events) onEvent(event)
  }
  const share = (event: LiveEvent) => {
    recent = [...recent.filter(({ atMs }) => isRecent(atMs)), { event, atMs: performance.now() }]
    onEvent(event)
    channel.postMessage({ about: 'event', event })
  }
  const shareConnected = (connected: boolean) => {
    own = connected
    onConnected(connected)
    channel.postMessage({ about: 'connected', connected })
  }
  const lead = (missedSome: boolean) =>
    hold({ url, onEvent: share, onConnected: shareConnected, onRefused, missedSome, signal: stop.signal })

  channel.postMessage({ about: 'ask', tab })
  void becomeLeader(name, stop.signal, lead)
  return () => {
    stop.abort()
    channel.close()
  }
}

const isRecent = (atMs: number) => performance.now() - atMs < LOADING_MS

async function becomeLeader(
  name: string,
  signal: AbortSignal,
  lead: (missedSome: boolean) => Promise<void>,
): Promise<void> {
  // A page without a secure origin has no locks: then every tab has a connection of its own.
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

interface Hold extends Omit<LiveOptions, 'userId'> {
  readonly missedSome: boolean
  readonly signal: AbortSignal
}

/** Keeps the connection open. The browser resumes a broken one by itself; a refused one is tried again after a pause. */
async function hold({ url, onEvent, onRefused, onConnected, missedSome, signal }: Hold): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS
  let stale = missedSome
  let wasOpen = false
  while (!signal.aborted) {
    const opened = await listen(url, signal, {
      onOpen: () => {
        onConnected(true)
        if (stale) onEvent(RESET)
        stale = false
        wasOpen = true
      },
      onBroken: () => {
        onConnected(false)
        // The browser has no id to resume from, and the gateway begins a new stream with the events of a short time before.
        if (!wasOpen) stale = true
      },
      onEvent,
    })
    if (signal.aborted) return
    onConnected(false)
    onRefused()
    stale = true
    pauseMs = opened ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS)
    await pause(pauseMs, signal)
  }
}

interface Listener {
  readonly onOpen: () => void
  /** The connection broke, and the browser tries to resume it. */
  readonly onBroken: () => void
  readonly onEvent: (event: LiveEvent) => void
}

/** One connection, until it is stopped or refused. Resolves to whether it was ever open. */
function listen(url: string, signal: AbortSignal, { onOpen, onBroken, onEvent }: Listener): Promise<boolean> {
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
    source.onerror = () => (source.readyState === EventSource.CLOSED ? end() : onBroken())
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
