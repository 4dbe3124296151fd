import { routes } from 'virtual:routes'
import type { CurrentUser } from '@holdfast/contracts/users'
import useSWR, { mutate } from 'swr'
import { isStatus, request } from './api.js'

export type { CurrentUser }

const KEY = [routes.getCurrentUser.path, {}] as const

// Only a 401 says that nobody is signed in. Every other failure says nothing about it, so what was known stays shown.
const fetchCurrentUser = () =>
  request(routes.getCurrentUser, {}).catch((error: unknown) => {
    if (isStatus(error, 401)) return null
    throw error
  })

export interface Session {
  /** Null when nobody is signed in, undefined while that is not known yet. */
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
    revalidateOnMount: true,
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

/** Ends the session. Whatever the server answers, this browser forgets everything it had loaded. */
export async function signOut(): Promise<void> {
  try {
    await request(routes.logOut, {})
  } catch (error) {
    console.error('signing out failed', error)
  }
  await mutate(() => true, undefined, { revalidate: false })
  await mutate(KEY, null, { revalidate: false })
}

/** "Ana Ruiz" */
export const fullName = (user: { firstName: string; lastName: string }) => `${user.firstName} ${user.lastName}`.trim()

/** Ratings show one decimal; who has none yet is new. */
export const ratingLabel = (rating: number | null) => (rating === null ? 'New' : rating.toFixed(1))
