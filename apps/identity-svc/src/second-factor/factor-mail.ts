import type { QueuedMail } from '@holdfast/mail/queue-mail'
import type { User } from '../users/user.entity.js'

/** The kind of these mails in the outbox. */
export const FACTOR_MAIL = 'second-factor-changed'

/** What has happened, as the mail says it: its subject, and a sentence. */
const NOTICES = {
  authenticator_added: [
    'An authenticator app was added',
    'From now on, signing in with your password also needs a code of this app.',
  ],
  authenticator_removed: ['Your authenticator app was removed', 'Its codes do not open your account any more.'],
  passkey_added: ['A passkey was added', 'This passkey signs in to your account without your password.'],
  passkey_removed: ['A passkey was removed', 'It does not open your account any more.'],
  recovery_codes_renewed: ['New recovery codes were made', 'The earlier codes do not work any more.'],
  recovery_code_used: [
    'A recovery code was used',
    'Each code works once. You see on your profile how many are left, and can make new ones.',
  ],
  many_wrong_codes: [
    'Wrong codes were entered for your account',
    'This was done several times, and no further codes are accepted there for some minutes. We ask for a code only after the right password, after a sign-in at a provider, or in a browser that is signed in to your account.',
  ],
  all_removed: [
    'Your second factors were removed',
    'Our operators did this because it was asked for. You were signed out everywhere.',
  ],
  taken_over: [
    'What was added to your account was removed',
    'It was opened before this address was confirmed, and you have just set a new password. Because another person may have opened it, we have removed the second factors, the sign-ins with Google, Apple or Microsoft, the payout account, the saved cards, Premium, the phone number, the identity verification, the contacts, the listings and the invitations. Transactions stay: please look at them, and at the name and the username on your profile.',
  ],
} as const
export type FactorNotice = keyof typeof NOTICES

/** The subject and the sentence of a notice; undefined for one that this release does not know. */
export const findNotice = (notice: unknown): readonly [string, string] | undefined =>
  Object.entries(NOTICES).find(([name]) => name === notice)?.[1]

/** The mail about a second factor, for the outbox. It contains no secret. */
export const factorMail = (user: Pick<User, 'id' | 'email'>, notice: FactorNotice): QueuedMail => ({
  kind: FACTOR_MAIL,
  recipient: user.email,
  data: { userId: user.id, notice },
})
