/** The second factor: authenticator apps, passkeys and recovery codes. Served by identity-svc. */
import { MAX_CODE_LENGTH, MAX_PASSKEY_NAME_LENGTH, MAX_PASSKEYS, RECOVERY_CODES } from '@holdfast/kernel/second-factors'
import { MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { z } from 'zod'
import { line, NOT_BLANK, Timestamp, Uuid } from './fields.js'
import { route } from './route.js'
import { SignedIn } from './users.js'

/** Keys and signatures of a passkey are shorter. An attestation can hold certificates. */
const MAX_PASSKEY_FIELD_LENGTH = 20_000
const MAX_TRANSPORTS = 10
const BASE64URL = /^[A-Za-z0-9_-]+$/

const Bytes = z.string({ error: 'Required' }).max(MAX_PASSKEY_FIELD_LENGTH).regex(BASE64URL, 'Must be base64url')
const CredentialShape = {
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  /** We ask for no extension, so nothing in it is read. */
  clientExtensionResults: z.object({}).optional(),
}
/** What the browser answers when a passkey is used (Web Authentication Level 3, section 5.1.8: `toJSON`). */
export const UsedPasskey = z.object({
  ...CredentialShape,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes.optional(),
  }),
})
export type UsedPasskey = z.infer<typeof UsedPasskey>
/** What the browser answers when a passkey is made. */
export const MadePasskey = z.object({
  ...CredentialShape,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z.array(z.string().max(MAX_PASSKEY_NAME_LENGTH)).max(MAX_TRANSPORTS).optional(),
  }),
})
export type MadePasskey = z.infer<typeof MadePasskey>

const Code = z.string({ error: 'Required' }).trim().min(1, 'Enter the code').max(MAX_CODE_LENGTH).meta(NOT_BLANK)
/** What the browser needs to make or use a passkey, as the Web Authentication API takes it. */
const PasskeyOptions = z.object({ options: z.record(z.string(), z.unknown()) })
/** Requires exactly one of these fields. Names those that are too many, or the first when there is none. */
const oneOf =
  <Name extends string>(...names: readonly [Name, ...Name[]]) =>
  (body: Partial<Record<Name, unknown>>, context: z.RefinementCtx): void => {
    const given = names.filter(name => body[name] !== undefined)
    if (given.length === 1) return
    const message = `Give one of these: ${names.join(', ')}`
    for (const name of given.length === 0 ? [names[0]] : given)
      context.addIssue({ code: 'custom', message, path: [name] })
  }
const AddedFactor = z.object({
  /** The new recovery codes when this is the user’s first factor; they are shown this once. Else null. */
  recoveryCodes: z.array(z.string()).length(RECOVERY_CODES).nullable(),
})

export const Passkey = z.object({
  id: Uuid,
  name: z.string(),
  addedAt: Timestamp,
  usedAt: Timestamp.nullable(),
  /** The device’s maker keeps a copy, so the passkey survives the loss of the device. */
  isBackedUp: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

/** How a user can show a second factor. Contains no secret. */
export const SecondFactorState = z.object({
  authenticator: z.object({ addedAt: Timestamp }).nullable(),
  passkeys: z.array(Passkey).max(MAX_PASSKEYS),
  recoveryCodesLeft: z.number().int(),
  /** The user is an admin where admins need a second factor: the last one cannot be removed. */
  isRequired: z.boolean(),
})
export type SecondFactorState = z.infer<typeof SecondFactorState>

export const secondFactorRoutes = {
  getSecondFactor: route({
    method: 'GET',
    path: '/api/auth/second-factor',
    access: 'user',
    summary: 'How the signed-in user can show a second factor',
    response: SecondFactorState,
  }),
  confirmIdentity: route({
    method: 'POST',
    path: '/api/auth/confirm',
    access: 'user',
    summary:
      'Show again who you are, by password, code or passkey: for some minutes you can then change how you sign in. Name one of the three',
    status: 204,
    body: z
      .object({
        password: z.string().min(1, 'Enter your password').max(MAX_PASSWORD_LENGTH).optional(),
        code: Code.optional(),
        passkey: UsedPasskey.optional(),
      })
      .superRefine(oneOf('password', 'code', 'passkey')),
    errors: ['RATE_LIMITED', 'PASSKEY_REFUSED'],
  }),
  startAuthenticator: route({
    method: 'POST',
    path: '/api/auth/second-factor/authenticator',
    access: 'user',
    summary: 'Make a secret for an authenticator app. It counts when its first code is confirmed',
    response: z.object({
      /** Base32, to type into the app. */
      secret: z.string(),
      /** The same for a QR code: `otpauth://totp/…`. */
      uri: z.string(),
    }),
    errors: ['CONFIRMATION_REQUIRED', 'RATE_LIMITED'],
  }),
  confirmAuthenticator: route({
    method: 'POST',
    path: '/api/auth/second-factor/authenticator/confirm',
    access: 'user',
    summary:
      'Confirm the first code of an authenticator app, which replaces an earlier one. Other sessions end with a first factor',
    body: z.object({ code: Code }),
    response: AddedFactor,
    errors: ['CONFIRMATION_REQUIRED', 'GONE', 'RATE_LIMITED'],
  }),
  removeAuthenticator: route({
    method: 'DELETE',
    path: '/api/auth/second-factor/authenticator',
    access: 'user',
    summary: 'Remove the authenticator app. The recovery codes go with the last factor',
    status: 204,
    errors: ['CONFIRMATION_REQUIRED', 'NOT_FOUND', 'LAST_SECOND_FACTOR', 'RATE_LIMITED'],
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    access: 'user',
    summary: 'Make new recovery codes. The old ones end; 404 without a second factor',
    response: z.object({ recoveryCodes: z.array(z.string()).length(RECOVERY_CODES) }),
    errors: ['CONFIRMATION_REQUIRED', 'NOT_FOUND', 'RATE_LIMITED'],
  }),
  finishSignIn: route({
    method: 'POST',
    path: '/api/auth/signin/second-step',
    access: 'public',
    summary:
      'The second step of a sign-in, in the browser that did the first: a code of the app or a recovery code, or a passkey. Name one of the two',
    body: z.object({ code: Code.optional(), passkey: UsedPasskey.optional() }).superRefine(oneOf('code', 'passkey')),
    response: SignedIn,
    errors: ['ACCOUNT_SUSPENDED', 'GONE', 'RATE_LIMITED', 'PASSKEY_REFUSED'],
  }),
} as const

export const passkeyRoutes = {
  startPasskeySecondStep: route({
    method: 'POST',
    path: '/api/auth/signin/second-step/passkey',
    access: 'public',
    summary: 'What the browser needs to use a passkey as the second step of a sign-in',
    response: PasskeyOptions,
    errors: ['GONE', 'RATE_LIMITED'],
  }),
  startPasskeySignIn: route({
    method: 'POST',
    path: '/api/auth/passkey/start',
    access: 'public',
    summary: 'What the browser needs to sign in with a passkey alone',
    response: PasskeyOptions,
    errors: ['RATE_LIMITED'],
  }),
  signInWithPasskey: route({
    method: 'POST',
    path: '/api/auth/passkey',
    access: 'public',
    summary: 'Sign in with a passkey, which counts as both factors; the answer sets the session cookie',
    body: z.object({ passkey: UsedPasskey }),
    response: SignedIn,
    errors: ['ACCOUNT_SUSPENDED', 'PASSKEY_REFUSED', 'RATE_LIMITED'],
  }),
  startPasskeyConfirmation: route({
    method: 'POST',
    path: '/api/auth/confirm/passkey',
    access: 'user',
    summary: 'What the browser needs to confirm with a passkey who you are',
    response: PasskeyOptions,
    errors: ['RATE_LIMITED'],
  }),
  startPasskey: route({
    method: 'POST',
    path: '/api/auth/passkeys/start',
    access: 'user',
    summary: 'What the browser needs to make a passkey',
    response: PasskeyOptions,
    errors: ['CONFIRMATION_REQUIRED', 'RATE_LIMITED'],
  }),
  addPasskey: route({
    method: 'POST',
    path: '/api/auth/passkeys',
    access: 'user',
    summary: 'Add a passkey that the browser has made. Other sessions end with a first factor',
    status: 201,
    body: z.object({
      name: line(MAX_PASSKEY_NAME_LENGTH, 'Give the passkey a name'),
      passkey: MadePasskey,
    }),
    response: AddedFactor,
    errors: ['CONFIRMATION_REQUIRED', 'PASSKEY_REFUSED', 'RATE_LIMITED'],
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/api/auth/passkeys/{passkeyId}',
    access: 'user',
    record: { kind: 'passkey' },
    summary: 'Remove a passkey. The recovery codes go with the last factor',
    status: 204,
    params: z.object({ passkeyId: Uuid }),
    errors: ['CONFIRMATION_REQUIRED', 'NOT_FOUND', 'LAST_SECOND_FACTOR', 'RATE_LIMITED'],
  }),
} as const
