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
/** The mailboxes of Apple, and the addresses with which it hides others. */
const APPLE_MAIL = /@(icloud\.com|me\.com|mac\.com|privaterelay\.appleid\.com)$/i

/** The directory of all personal Microsoft accounts, which may have an address of any company. */
const PERSONAL_ACCOUNTS = '9188040d-6c67-4c5b-b112-5b66bc4c2dda'

/**
 * The claim by which a provider says that it has verified the address. Microsoft sends no `email_verified`. Its optional claim says that
 * the owner of the domain is verified: https://learn.microsoft.com/entra/identity-platform/optional-claims-reference
 */
const VERIFIED_CLAIM: Readonly<Record<SignInProvider, string>> = {
  google: 'email_verified',
  apple: 'email_verified',
  microsoft: 'xms_edov',
}

/** Apple writes the boolean as text, too, and Microsoft also as a number. */
const TRUE: ReadonlySet<unknown> = new Set([true, 'true', 1, '1'])

/** Whether a provider is authoritative for a verified address. The second argument reads a claim, which is empty when it is missing. */
const AUTHORITATIVE: Readonly<Record<SignInProvider, (email: string, claim: (name: string) => string) => boolean>> = {
  // `hd` is the domain of an organization: https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
  google: (email, claim) => GMAIL.test(email) || claim('hd') !== '',
  apple: email => APPLE_MAIL.test(email),
  // `tid` is the directory of the account. That of an organization has verified that it owns the domain.
  microsoft: (_, claim) => claim('tid') !== '' && claim('tid') !== PERSONAL_ACCOUNTS,
}

/** Reads the claims of a provider (OpenID Connect Core 1.0, section 5.1, and the provider's own). */
export function personOf(provider: SignInProvider, claims: Claims): ProviderPerson {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '')
  const email = text('email')
  return {
    provider,
    issuer: text('iss'),
    subject: text('sub'),
    verifiedEmail: TRUE.has(claims[VERIFIED_CLAIM[provider]]) && email !== '' ? email : null,
    isAuthoritative: AUTHORITATIVE[provider](email, text),
    firstName: text('given_name') || text('name'),
    lastName: text('family_name'),
  }
}
