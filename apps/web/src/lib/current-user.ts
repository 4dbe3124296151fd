import { routes } from 'virtual:routes'
import { VISITOR_META } from '@holdfast/contracts/pages'
import type { CurrentUser } from '@holdfast/contracts/users'
import { isClosedUsername } from '@holdfast/kernel/closed-username'
import useSWR, { mutate } from 'swr'
import { isStatus, onUnauthenticated, request } from './api.js'
import { forgetDrafts } from './drafts.js'
import { cancelSecondRefreshes } from './live/changes.js'
import { findSignOut, startSignOut, trySignOut } from './pending-sign-out.js'
import { forgetAsked } from './read-ahead.js'

export type { CurrentUser }

const KEY = [routes.getCurrentUser.path, {}] as const

/** Whether the HTML says that the browser has no session. The user counts as signed out then until the server says otherwise. */
const OPENED_BY_VISITOR = document.querySelector(`meta[name="${VISITOR_META}"]`) !== null

/** Whether the server was asked who is signed in: what the HTML says may be out of date from then on. */
let wasAsked = false

/** Whether what the HTML says is all that is known. */
const isVisitorByHtml = () => OPENED_BY_VISITOR && !wasAsked

/** Whose answers are in the cache; null for a visitor's, undefined before it was ever known. */
let knownUserId: string | null | undefined

/** Whether nobody is signed in, as far as this is known without asking the server. */
export const isKnownVisitor = (): boolean => isVisitorByHtml() || knownUserId === null

/** The session of that user, by which a sign-out that failed is told from a later sign-in. */
let knownSessionId: string | undefined

async function fetchCurrentUser(): Promise<CurrentUser | null> {
  wasAsked = true
  // Until the server has ended the session, its account is not shown again.
  const user = findSignOut() && !(await trySignOut()) ? null : await askWhoIsThere()
  knownSessionId = user?.sessionId
  // Another person's answers must not be shown to this one; the change may even come from another tab.
  const id = user?.id ?? null
  if (knownUserId !== undefined && knownUserId !== id) forgetLoaded(id)
  knownUserId = id
  return user
}

// Only a 401 means that the visitor is signed out. After every other failure the page keeps the user it knew.
const askWhoIsThere = () =>
  request(routes.getCurrentUser, {}).catch((error: unknown) => {
    if (isStatus(error, 401)) return null
    throw error
  })

/**
 * Forgets every answer except the current user, and asks again for what is on the screen. Asking again also drops SWR's
 * records of running requests: with them, the next person would share the requests of this one.
 *
 * For a visitor, it asks only in the next task. By then the parts of the page that need a session are gone from the screen.
 *
 * @param userId who is signed in now; null for a visitor
 */
function forgetLoaded(userId: string | null) {
  cancelSecondRefreshes()
  forgetAsked()
  const isLoaded = (key: unknown) => !(Array.isArray(key) && key[0] === KEY[0])
  void mutate(isLoaded, undefined, { revalidate: userId !== null })
  if (userId === null) setTimeout(() => void mutate(isLoaded, undefined), 0)
}

export interface Session {
  /** Null for a signed-out visitor, undefined while it is not known yet. */
  readonly user: CurrentUser | null | undefined
  readonly isLoading: boolean
  /** Why it could not be found out. */
  readonly error: Error | undefined
  readonly retry: () => void
}

/** Who is signed in: asked again on every mount and whenever the window gets the focus, and never retried by itself. */
export function useSession(): Session {
  const {
    data,
    error,
    isLoading,
    mutate: ask,
  } = useSWR<CurrentUser | null, Error>(KEY, fetchCurrentUser, {
    // It stands until the first answer: without it, the sign-in form would go away with what was typed, while one waits.
    ...(OPENED_BY_VISITOR && { fallbackData: null }),
    revalidateOnMount: !isVisitorByHtml(),
    // Another tab may have signed in.
    revalidateOnFocus: true,
    focusThrottleInterval: 1_000,
    dedupingInterval: 1_000,
    shouldRetryOnError: false,
  })
  return { user: data, isLoading, error, retry: () => void ask() }
}

/** The signed-in user, inside routes that are shown only to one. */
export function useSignedInUser(): CurrentUser {
  const { user } = useSession()
  if (!user) throw new Error('useSignedInUser needs a protected route around it')
  return user
}

/** Asks afresh who is signed in: after signing in, and when any call was answered with 401. */
export async function refreshCurrentUser(): Promise<void> {
  await mutate(KEY, fetchCurrentUser(), { revalidate: false })
}

// A command can be the first to learn that the session is over: then the sign-in screen shows, and what was typed is kept.
onUnauthenticated(route => {
  if (route.path !== KEY[0]) void refreshCurrentUser().catch(() => undefined)
})

let signingOut = false

/** Whether the user signs out just now. Meanwhile no answer is refreshed, because the session may have ended already. */
export const isSigningOut = (): boolean => signingOut

/**
 * Ends the session. Whatever the server answers, this browser at once forgets everything it had loaded. When the server does not confirm it,
 * the browser keeps trying (`sign-out-retries.ts`).
 */
export async function signOut(): Promise<void> {
  signingOut = true
  startSignOut(knownSessionId ?? null)
  await forgetUser()
  await trySignOut()
  signingOut = false
  forgetLoaded(null)
}

/** Shows no account, and forgets what was loaded and typed for one. */
export async function forgetUser(): Promise<void> {
  knownUserId = null
  knownSessionId = undefined
  forgetDrafts()
  await mutate(KEY, null, { revalidate: false })
  forgetLoaded(null)
}

/** "Ana Ruiz" */
export const fullName = (user: { firstName: string; lastName: string }) => `${user.firstName} ${user.lastName}`.trim()

/** "Ana Ruiz (@ana)"; only the name of a closed account, which has no username. */
export const nameAndUsername = (user: { firstName: string; lastName: string; username: string }) =>
  isClosedUsername(user.username) ? fullName(user) : `${fullName(user)} (@${user.username})`

/** Ratings show one decimal; who has none yet is new. */
export const ratingLabel = (rating: number | null) =>
  // 4.35 is a little less as a float, and `toFixed` alone would round it down.
  rating === null ? 'New' : (Math.round(rating * 10) / 10).toFixed(1)
