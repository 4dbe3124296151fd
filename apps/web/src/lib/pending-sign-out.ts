/**
 * A sign-out that the server has not confirmed. The browser remembers it over reloads and in every tab, and shows nobody's account meanwhile,
 * because the session is still open: whoever uses the browser next could go on with it. `sign-out-retries.ts` keeps trying.
 */
import { routes } from 'virtual:routes'
import { isStatus, request } from './api.js'
import { orUndefined, sharedStore } from './browser-store.js'

/** The name under which all tabs find it. */
export const SIGN_OUT_NAME = 'holdfast:sign-out'
/** When this browser signed out last. A page that the browser has kept for its Back button compares it. */
const LAST_NAME = 'holdfast:signed-out-at'
/** After this long an attempt is given up, and another one is made later. */
const TIMEOUT_MS = 10_000

interface PendingSignOut {
  /**
   * The session that is to be ended. A sign-in since then has another one, which is left alone. Null when this page did not know it.
   */
  readonly sessionId: string | null
  readonly hasFailed: boolean
}

/** Only where the browser forbids storage: it lasts as long as the page. */
let inMemory: string | null = null
/** Whether somebody may have signed in since the session was known. */
let mayBeAnother = true
let attempt: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Calls a function after each change, in this tab and in others; answers the function that ends that. */
export function onSignOutChange(notify: () => void): () => void {
  const notifyOfOtherTab = ({ key }: StorageEvent) => {
    if (key === SIGN_OUT_NAME) notify()
  }
  listeners.add(notify)
  window.addEventListener('storage', notifyOfOtherTab)
  return () => {
    listeners.delete(notify)
    window.removeEventListener('storage', notifyOfOtherTab)
  }
}

function write(pending: PendingSignOut | null) {
  const text = pending && JSON.stringify(pending)
  inMemory = text
  orUndefined(() =>
    text === null ? sharedStore()?.removeItem(SIGN_OUT_NAME) : sharedStore()?.setItem(SIGN_OUT_NAME, text),
  )
  for (const notify of listeners) notify()
}

/** The session that is still to be ended; null when there is none. */
export function findSignOut(): PendingSignOut | null {
  const kept = orUndefined(() => sharedStore()?.getItem(SIGN_OUT_NAME))
  const text = kept === undefined ? inMemory : kept
  return text === null ? null : (JSON.parse(text) as PendingSignOut)
}

/** Remembers that this session is to be ended. Other tabs learn of it at once. */
export function startSignOut(sessionId: string | null): void {
  mayBeAnother = false
  orUndefined(() => sharedStore()?.setItem(LAST_NAME, new Date().toISOString()))
  write({ sessionId, hasFailed: false })
}

/** Forgets it: the session has ended, or somebody has signed in since. */
export function endSignOut(): void {
  if (findSignOut()) write(null)
}

/** When this browser signed out last; null when it never did. */
export const lastSignOut = (): string | null => orUndefined(() => sharedStore()?.getItem(LAST_NAME)) ?? null

/**
 * Tries to end the session, and answers whether none is to be ended any more. Attempts that are asked for at the same time are one.
 */
export function trySignOut(): Promise<boolean> {
  attempt ??= tryOnce().finally(() => {
    attempt = undefined
  })
  return attempt
}

async function tryOnce(): Promise<boolean> {
  const pending = findSignOut()
  if (!pending) return true
  try {
    // Somebody may have signed in since the first attempt, also in another tab: their session is not ended.
    if (!mayBeAnother || (await isStillOpen(pending))) await request(routes.logOut, {}, { timeoutMs: TIMEOUT_MS })
  } catch (error) {
    console.error('signing out failed', error)
    mayBeAnother = true
    // It may have been confirmed in another tab meanwhile, where somebody may also have signed in and out: then theirs is to be ended.
    const latest = findSignOut()
    if (latest) write({ ...latest, hasFailed: true })
    return latest === null
  }
  const latest = findSignOut()
  if (latest && latest.sessionId !== pending.sessionId) {
    mayBeAnother = true
    return tryOnce()
  }
  endSignOut()
  return true
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
