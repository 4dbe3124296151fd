/**
 * A sign-out that the server has not confirmed. The browser remembers it over reloads and in every tab, shows nobody's account meanwhile, and
 * keeps trying, because the session is still open: whoever uses the browser next could go on with it.
 */
import { routes } from 'virtual:routes'
import { pauseAfter } from '@holdfast/kernel/backoff'
import { useSyncExternalStore } from 'react'
import { isStatus, request } from './api.js'
import { orUndefined, sharedStore } from './browser-store.js'

/** The name under which all tabs find it. */
const NAME = 'holdfast:sign-out'
/** When this browser signed out last. A page that the browser has kept for its Back button compares it. */
const LAST_NAME = 'holdfast:signed-out-at'
/** After this long an attempt is given up, and another one is made later. */
const TIMEOUT_MS = 10_000
const PAUSES = { firstMs: 1_000, longestMs: 60_000 }

interface PendingSignOut {
  /**
   * The session that is to be ended. A sign-in since then has another one, which is left alone. Null when an earlier release of identity-svc did
   * not name it.
   */
  readonly sessionId: string | null
  /** Whether an attempt has failed. */
  readonly hasFailed: boolean
}

/** It lasts as long as the page where the browser forbids storage. */
let inMemory: string | null = null
let failures = 0
/** Whether somebody may have signed in since the session was known. */
let mayBeAnother = true
let timer: ReturnType<typeof setTimeout> | undefined
let attempt: Promise<boolean> | undefined
const listeners = new Set<() => void>()

const read = (): string | null => orUndefined(() => sharedStore()?.getItem(NAME)) ?? inMemory

function write(pending: PendingSignOut | null) {
  inMemory = pending && JSON.stringify(pending)
  const text = inMemory
  orUndefined(() => (text === null ? sharedStore()?.removeItem(NAME) : sharedStore()?.setItem(NAME, text)))
  for (const notify of listeners) notify()
}

function find(): PendingSignOut | null {
  const text = read()
  return text === null ? null : (JSON.parse(text) as PendingSignOut)
}

/** Whether a session is still to be ended. Until it is, nobody's account is shown. */
export const isSignOutPending = (): boolean => find() !== null

/** Remembers that this session is to be ended. Other tabs learn of it at once. */
export function startSignOut(sessionId: string | null): void {
  failures = 0
  mayBeAnother = false
  orUndefined(() => sharedStore()?.setItem(LAST_NAME, new Date().toISOString()))
  knownLast = lastSignOut()
  write({ sessionId, hasFailed: false })
}

/** Forgets it: the session has ended, or somebody has signed in since. */
export function endSignOut(): void {
  clearTimeout(timer)
  timer = undefined
  failures = 0
  if (read() !== null) write(null)
}

/**
 * Tries to end the session, and answers whether none is to be ended any more. Attempts that are asked for at the same time are one. After a
 * failure the next attempt comes by itself, at most a minute later.
 */
export function trySignOut(): Promise<boolean> {
  attempt ??= tryOnce().finally(() => {
    attempt = undefined
  })
  return attempt
}

/** An attempt that no page waits for: it tells the page when the sign-out is over. */
export async function retry(): Promise<void> {
  if (isSignOutPending() && (await trySignOut())) onOver()
}

async function tryOnce(): Promise<boolean> {
  const pending = find()
  if (!pending) return true
  clearTimeout(timer)
  try {
    // Somebody may have signed in since the first attempt, also in another tab: their session is not ended.
    if (!mayBeAnother || (await isStillOpen(pending))) await request(routes.logOut, {}, { timeoutMs: TIMEOUT_MS })
  } catch (error) {
    console.error('signing out failed', error)
    failures++
    if (failures === 1) stopPush()
    mayBeAnother = true
    // It may have been confirmed in another tab meanwhile.
    if (find() === null) return true
    write({ ...pending, hasFailed: true })
    timer = setTimeout(() => void retry(), pauseAfter(failures, PAUSES))
    return false
  }
  endSignOut()
  return true
}

/** A session that is still open gets push messages, which anybody at this browser would read. */
function stopPush() {
  import('./browser-push.js')
    .then(({ unsubscribeHere }) => unsubscribeHere())
    .catch((error: unknown) => console.error('push messages could not be stopped', error))
}

async function isStillOpen({ sessionId }: PendingSignOut): Promise<boolean> {
  try {
    const user = await request(routes.getCurrentUser, {}, { timeoutMs: TIMEOUT_MS })
    return (user.sessionId ?? null) === sessionId
  } catch (error) {
    if (isStatus(error, 401)) return false
    throw error
  }
}

/** Whether a sign-out has failed and is not confirmed yet. */
export function useFailedSignOut(): boolean {
  return useSyncExternalStore(subscribe, () => find()?.hasFailed === true)
}

function subscribe(notify: () => void) {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

let knownLast: string | null = null
let onOver = () => {}
const lastSignOut = () => orUndefined(() => sharedStore()?.getItem(LAST_NAME)) ?? null

/**
 * Follows what other tabs do, and keeps trying whenever the browser is used or online again.
 *
 * @param onSignedOut runs when another tab signs out, or has signed out while the browser kept this page for its Back button
 * @param onEnd runs when a sign-out is confirmed, or somebody has signed in since
 */
export function followSignOuts(onSignedOut: () => void, onEnd: () => void): void {
  onOver = onEnd
  knownLast = lastSignOut()
  const isNew = () => knownLast !== lastSignOut()
  const retryWhenSeen = () => {
    if (document.visibilityState === 'visible') void retry()
  }
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== NAME) return
    for (const notify of listeners) notify()
    if (isNew()) onSignedOut()
    knownLast = lastSignOut()
    if (newValue === null) onOver()
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    if (isNew()) {
      onSignedOut()
      onOver()
    }
    knownLast = lastSignOut()
    retryWhenSeen()
  })
  for (const name of ['focus', 'online'] as const) window.addEventListener(name, retryWhenSeen)
  document.addEventListener('visibilitychange', retryWhenSeen)
  void retry()
}
