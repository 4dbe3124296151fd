/** Accounts, sessions and public profiles. Served by identity-svc. */
import { USERNAME_FORM, USERNAME_PATTERN } from '@holdfast/kernel/username'
import {
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MAX_PHONE_LENGTH,
  MAX_SEARCH_LENGTH,
  MIN_PASSWORD_LENGTH,
  MIN_SEARCH_LENGTH,
  PHONE_PATTERN,
  PLANS,
  USER_ROLES,
  VERIFICATION_STATUSES,
} from '@holdfast/kernel/users'
import { isReservedName, isReservedUsername, RESERVED_NAME, RESERVED_USERNAME } from '@holdfast/names/names'
import { z } from 'zod'
import { changedAmong, Email, MailedToken, personName, Timestamp, UserIdParams, Uuid } from './fields.js'
import { route } from './route.js'

/** What everyone may see of a user. */
export const PublicUser = z.object({
  id: Uuid,
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  isVerified: z.boolean(),
  /** 0 to 5; null until there is a review, shown as 'New'. */
  rating: z.number().min(0).max(5).nullable(),
  profileImageUrl: z.string().nullable(),
})
export type PublicUser = z.infer<typeof PublicUser>

/** A user as services know them. It is never sent to a browser. */
export const PartyUser = PublicUser.extend({
  email: z.string(),
  /** The user has opened a link that was mailed to this address. */
  emailConfirmed: z.boolean(),
})
export type PartyUser = z.infer<typeof PartyUser>

/** What users see of their own account. */
export const CurrentUser = PartyUser.extend({
  phoneNumber: z.string().nullable(),
  avatar: z.string().nullable(),
  totalTransactions: z.number().int(),
  verificationStatus: z.enum(VERIFICATION_STATUSES),
  /** Why the documents were rejected, as the user reads it; null in every other state. */
  verificationReason: z.string().nullable(),
  role: z.enum(USER_ROLES),
  plan: z.enum(PLANS),
  createdAt: Timestamp,
  /**
   * The session of the request, in answers to the user themselves. A browser that could not end a session recognises it by this, and leaves a
   * later one alone.
   */
  sessionId: Uuid.optional(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

const Credentials = z.object({
  email: Email,
  password: z.string({ error: 'Required' }).min(1, 'Required').max(MAX_PASSWORD_LENGTH),
})
const NewPassword = z
  .string({ error: 'Required' })
  .min(MIN_PASSWORD_LENGTH, `At least ${MIN_PASSWORD_LENGTH} characters`)
  .max(MAX_PASSWORD_LENGTH, `At most ${MAX_PASSWORD_LENGTH} characters`)
const Username = z
  .string({ error: 'Required' })
  .trim()
  .regex(USERNAME_PATTERN, {
    error: USERNAME_FORM,
    abort: true,
  })
  .refine(username => !isReservedUsername(username), RESERVED_USERNAME)
const Names = { firstName: personName(MAX_NAME_LENGTH), lastName: personName(MAX_NAME_LENGTH), username: Username }
/** Refuses a name that looks like ours, at the field in which it does. */
function ownName({ firstName, lastName }: { firstName: string; lastName: string }, context: z.RefinementCtx): void {
  if (!isReservedName(firstName, lastName)) return
  const field = !isReservedName(firstName) && isReservedName(lastName) ? 'lastName' : 'firstName'
  context.addIssue({ code: 'custom', message: RESERVED_NAME, path: [field] })
}
/** The names that a user may give themselves. */
export const OwnNames = z.object(Names).superRefine(ownName)
const Registration = z.object({ email: Email, password: NewPassword, ...Names }).superRefine(ownName)
const Profile = z
  .object({
    ...Names,
    email: Email,
    phoneNumber: z
      .string({ error: 'Must be a phone number' })
      .trim()
      .max(MAX_PHONE_LENGTH)
      .regex(PHONE_PATTERN, 'Digits, spaces, + - ( ) only')
      .nullable(),
    /** Needed for another e-mail address. */
    currentPassword: z.string().max(MAX_PASSWORD_LENGTH).optional(),
    changed: changedAmong(['firstName', 'lastName', 'username', 'email', 'phoneNumber']),
  })
  .superRefine(ownName)
export const SignedIn = z.object({ user: CurrentUser })

const signInWith = (path: '/api/auth/signin' | '/api/auth/login') =>
  route({
    method: 'POST',
    path,
    access: 'public',
    summary: 'Sign in with e-mail and password; the answer sets the session cookie',
    body: Credentials,
    response: SignedIn,
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_SUSPENDED', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED'],
  })
const signUpAt = (path: '/api/auth/signup' | '/api/auth/register') =>
  route({
    method: 'POST',
    path,
    access: 'public',
    summary: 'Open an account and sign in',
    status: 201,
    body: Registration,
    response: SignedIn,
    errors: ['EMAIL_TAKEN', 'USERNAME_TAKEN', 'RATE_LIMITED'],
  })

export const userRoutes = {
  getCurrentUser: route({
    method: 'GET',
    path: '/api/auth/user',
    access: 'user',
    summary: 'The signed-in user',
    response: CurrentUser,
  }),
  signIn: signInWith('/api/auth/signin'),
  login: signInWith('/api/auth/login'),
  signUp: signUpAt('/api/auth/signup'),
  register: signUpAt('/api/auth/register'),
  logOut: route({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'visitor',
    summary: 'End this session; without one it does nothing',
    status: 204,
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/api/auth/verify-email',
    access: 'visitor',
    summary: 'Confirm an e-mail address with the token that was mailed to it, in a session of its account',
    status: 204,
    body: z.object({ token: MailedToken }),
    errors: ['GONE', 'EMAIL_TAKEN', 'SIGN_IN_TO_CONFIRM'],
  }),
  sendConfirmation: route({
    method: 'POST',
    path: '/api/auth/verify-email/send',
    access: 'user',
    summary: 'Mail a new link to confirm the e-mail address; does nothing when it is confirmed',
    status: 204,
    errors: ['RATE_LIMITED'],
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/api/auth/reset',
    access: 'public',
    summary: 'Mail a link to set a new password. The answer is the same when no account has this address',
    status: 204,
    body: z.object({ email: Email }),
    errors: ['RATE_LIMITED'],
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/auth/reset/confirm',
    access: 'public',
    summary: 'Set a new password with the token that was mailed. Every session of the account ends',
    status: 204,
    body: z.object({ token: MailedToken, password: NewPassword }),
    errors: ['GONE', 'RATE_LIMITED'],
  }),
  changeProfile: route({
    method: 'PUT',
    path: '/api/profile',
    access: 'user',
    summary:
      'Change one’s personal data: the fields named in `changed`, or all. Another e-mail address needs the password, and a link that is mailed to it',
    body: Profile,
    response: CurrentUser,
    errors: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'SIGN_IN_AGAIN', 'CONFIRMATION_REQUIRED', 'RATE_LIMITED'],
  }),
  changePassword: route({
    method: 'POST',
    path: '/api/auth/password',
    access: 'user',
    summary: 'Change one’s password. Every other session ends',
    status: 204,
    body: z.object({
      currentPassword: z.string({ error: 'Required' }).min(1, 'Enter your password').max(MAX_PASSWORD_LENGTH),
      newPassword: NewPassword,
    }),
    errors: ['CONFIRMATION_REQUIRED', 'RATE_LIMITED'],
  }),
  listSessions: route({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'Where this account is signed in',
    response: z.array(
      z.object({
        id: Uuid,
        current: z.boolean(),
        createdAt: Timestamp,
        expiresAt: Timestamp,
        clientIp: z.string().nullable(),
        /** Where the address is, in words, such as a country; null when it is not known. */
        place: z.string().nullable(),
        userAgent: z.string().nullable(),
      }),
    ),
  }),
  endOtherSessions: route({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'End every session of this account except this one',
    status: 204,
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/auth/sessions/{sessionId}',
    access: 'user',
    record: { kind: 'session' },
    summary: 'End one session of this account',
    status: 204,
    params: z.object({ sessionId: Uuid }),
  }),
  searchUsers: route({
    method: 'GET',
    path: '/api/users/search',
    access: 'user',
    summary: 'Find people by name or username, or by their whole e-mail address',
    query: z.object({
      q: z
        .string({ error: 'Required' })
        .trim()
        .min(MIN_SEARCH_LENGTH, `At least ${MIN_SEARCH_LENGTH} characters`)
        .max(MAX_SEARCH_LENGTH)
        .meta({ pattern: String.raw`^\S[\s\S]*\S$` }),
    }),
    response: z.array(PublicUser),
    errors: ['RATE_LIMITED'],
  }),
  listBlockedUsers: route({
    method: 'GET',
    path: '/api/users/blocked',
    access: 'user',
    summary: 'The people whom the signed-in user has blocked, latest first',
    response: z.array(PublicUser),
  }),
  blockUser: route({
    method: 'POST',
    path: '/api/users/blocked',
    access: 'user',
    record: { kind: 'profile', namedBy: 'userId' },
    summary: 'Block a person: they can open no transaction with you. They are not notified',
    status: 204,
    body: UserIdParams,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  unblockUser: route({
    method: 'DELETE',
    path: '/api/users/blocked/{userId}',
    access: 'user',
    record: { kind: 'blockedUser' },
    summary: 'End the blocking of a person',
    status: 204,
    params: UserIdParams,
  }),
} as const

/** What the gateway gets for a cookie. One call asks for all cookies that arrived together, so this is an array. */
export const VerifiedSession = z.tuple([
  z.string().describe('hex SHA-256 of the token'),
  z.string().describe('session id'),
  z.string().describe('user id'),
  z
    .enum(USER_ROLES)
    .describe('the role that the session has: an admin who must show a second factor first is a user here'),
  z.enum(PLANS),
  z.boolean().optional().describe('an admin whose session was made without the second factor that admins need'),
])

/** The most sessions or users one internal call may ask for. */
export const MAX_LOOKUP = 256

export const userInternalRoutes = {
  verifySessions: route({
    method: 'POST',
    path: '/internal/sessions/verify',
    access: { internal: ['gateway'] },
    summary: 'The sessions and users of these token hashes; unknown and ended ones are left out',
    body: z.object({
      hashes: z
        .array(z.string().regex(/^[0-9a-f]{64}$/))
        .min(1)
        .max(MAX_LOOKUP),
    }),
    response: z.array(VerifiedSession),
  }),
  lookUpUsers: route({
    method: 'POST',
    path: '/internal/users/lookup',
    access: { internal: ['gateway'] },
    summary: 'Users by id; unknown ids are left out',
    body: z.object({ ids: z.array(Uuid).min(1).max(MAX_LOOKUP) }),
    response: z.array(PartyUser),
  }),
  checkBlocked: route({
    method: 'POST',
    path: '/internal/users/blocked',
    access: { internal: ['gateway'] },
    summary: 'Whether one user has blocked another, or is suspended: then the other can open no deal with them',
    body: z.object({ blockerId: Uuid, userId: Uuid }),
    response: z.object({ isBlocked: z.boolean() }),
  }),
  checkMailboxBlocked: route({
    method: 'POST',
    path: '/internal/users/blocked-mailbox',
    access: { internal: ['gateway'] },
    summary: 'Whether the owner of an address has blocked a user: then no invitation of the user is mailed to it',
    body: z.object({ email: z.string(), userId: Uuid }),
    response: z.object({ isBlocked: z.boolean() }),
  }),
} as const
