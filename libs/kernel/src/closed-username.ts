/**
 * The first letters of the username that a closed account gets. No user can choose it: a username begins with a letter or a digit.
 */
export const CLOSED_USERNAME_PREFIX = '_closed_'

/** Whether a username is that of a closed account: it has no public profile. */
export const isClosedUsername = (username: string): boolean => username.startsWith(CLOSED_USERNAME_PREFIX)

/** The name that is shown for a user whose account is closed. */
export const CLOSED_USER_NAME = 'Closed account'
