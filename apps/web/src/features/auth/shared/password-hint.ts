import { MIN_PASSWORD_LENGTH } from '@holdfast/kernel/users'

/** What the server asks of a password, so that none is refused as a surprise. */
export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters. Not a common password, a simple pattern, or made of your name, username or email.`
