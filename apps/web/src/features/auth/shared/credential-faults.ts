import { USERNAME_FORM, USERNAME_PATTERN } from '@holdfast/kernel/username'
import { MIN_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { emailFault } from '../../../lib/form/rules.js'

/** What sign-up asks for. */
export interface NewAccount {
  readonly firstName: string
  readonly lastName: string
  readonly username: string
  readonly email: string
  readonly password: string
}

export const EMPTY_ACCOUNT: NewAccount = { firstName: '', lastName: '', username: '', email: '', password: '' }

export const missing = (text: string, words: string): string | undefined => (text.trim() === '' ? words : undefined)

/** What is missing or wrong in a new account, by field. The server decides again, and knows what is taken. */
export const accountFaults = ({ firstName, lastName, username, email, password }: NewAccount) => ({
  firstName: missing(firstName, 'Enter your first name'),
  lastName: missing(lastName, 'Enter your last name'),
  username:
    missing(username, 'Enter a username') ?? (USERNAME_PATTERN.test(username.trim()) ? undefined : USERNAME_FORM),
  email: missing(email, 'Enter your email') ?? emailFault(email),
  password: passwordFault(password),
})

/** What is wrong with a new password. */
export const passwordFault = (password: string): string | undefined =>
  missing(password, 'Enter a password') ??
  (password.length < MIN_PASSWORD_LENGTH ? `Use at least ${MIN_PASSWORD_LENGTH} characters` : undefined)
