/** Limits and vocabulary of the second factor: what a user shows besides the password. */

/** How a user can show the second factor. A passkey counts as both factors, because the device checks its owner. */
const SECOND_FACTOR_METHODS = ['authenticator', 'passkey', 'recovery_code'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]

/** How a user who is signed in can show that they still sit at the browser. */
const CONFIRMATION_METHODS = ['password', ...SECOND_FACTOR_METHODS] as const
export type ConfirmationMethod = (typeof CONFIRMATION_METHODS)[number]

/** The codes of an authenticator app, as every such app makes them (RFC 6238 with its default values). */
export const APP_CODE_DIGITS = 6
export const APP_CODE_SECONDS = 30
/** The codes before and after the present one are accepted, too: the clock of a phone may be wrong by so many steps. */
export const APP_CODE_STEPS_OFF = 1
const APP_CODE = new RegExp(`^\\d{${APP_CODE_DIGITS}}$`)
/** What a person may type: apps show the code in two groups. */
export const isAppCode = (typed: string): boolean => APP_CODE.test(typed.replace(/[\s-]/g, ''))

/** How many recovery codes a set has. Each can be used once. */
export const RECOVERY_CODES = 10
export const MAX_CODE_LENGTH = 40

/** The most passkeys of one user. */
export const MAX_PASSKEYS = 20
export const MAX_PASSKEY_NAME_LENGTH = 60

/** How long a person may take for the second step of a sign-in. */
export const SECOND_STEP_MINUTES = 10
/** How long a sign-in, or a confirmation, lets a user change how they sign in. */
export const CONFIRMED_MINUTES = 10
/** How long a secret that an authenticator app was given waits for its first code. */
export const AUTHENTICATOR_SETUP_MINUTES = 30
/** How long the browser may take to use a passkey. */
export const PASSKEY_MINUTES = 5

/** What a passkey is asked for. A challenge is valid for one of these. */
export const PASSKEY_PURPOSES = ['register', 'sign_in', 'second_step', 'confirm'] as const
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number]
