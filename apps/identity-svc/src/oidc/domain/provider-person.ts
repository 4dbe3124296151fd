import type { SignInProvider } from '@holdfast/kernel/sign-in-providers'

/** What a provider says of a person. */
export interface ProviderPerson {
  readonly provider: SignInProvider
  readonly issuer: string
  readonly subject: string
  /** Null when the provider gives no address that it has verified. */
  readonly verifiedEmail: string | null
  /**
   * Whether the provider is authoritative for the address: it decides today who has the mailbox. Otherwise it has verified the address
   * once, and the mailbox may have another owner now.
   */
  readonly isAuthoritative: boolean
  readonly firstName: string
  readonly lastName: string
}

type Claims = Readonly<Record<string, unknown>>

const GMAIL = /@(gmail|googlemail)\.com$/i

/**
 * Whether Google is authoritative for an address: https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 *
 * @param hd the domain of the person's organization at Google; empty for other persons
 */
const isOfGoogle = (email: string, hd: string) => GMAIL.test(email) || hd !== ''

/** Apple writes the boolean as text. */
const TRUE: ReadonlySet<unknown> = new Set([true, 'true'])

/** Reads the claims of a provider (OpenID Connect Core 1.0, section 5.1, and the provider's own). */
export function personOf(provider: SignInProvider, claims: Claims): ProviderPerson {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '')
  const email = text('email')
  return {
    provider,
    issuer: text('iss'),
    subject: text('sub'),
    verifiedEmail: TRUE.has(claims.email_verified) && email !== '' ? email : null,
    isAuthoritative: provider !== 'google' || isOfGoogle(email, text('hd')),
    firstName: text('given_name') || text('name'),
    lastName: text('family_name'),
  }
}
