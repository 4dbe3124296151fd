import type { MadePasskey, UsedPasskey } from '@holdfast/contracts/second-factor'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

// The server makes them with the counterpart of this library. The contract does not repeat the types of the two.
type Options = Readonly<Record<string, unknown>>

/** What came of asking the browser for a passkey: the passkey, or why there is none, in words for a person. */
export type Ceremony<Passkey> = { readonly passkey: Passkey } | { readonly problem: string }

/** Lets the person use a passkey. @param options what the server sent */
export const askForPasskey = (options: Options): Promise<Ceremony<UsedPasskey>> =>
  ask(async ({ startAuthentication }) => {
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
    return startAuthentication({ optionsJSON }) as Promise<UsedPasskey>
  })

/** Lets the person make a passkey. @param options what the server sent */
export const makePasskey = (options: Options): Promise<Ceremony<MadePasskey>> =>
  ask(async ({ startRegistration }) => {
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    return startRegistration({ optionsJSON }) as Promise<MadePasskey>
  })

// The library is loaded when the first passkey is asked for.
async function ask<Passkey>(
  run: (library: typeof import('@simplewebauthn/browser')) => Promise<Passkey>,
): Promise<Ceremony<Passkey>> {
  const library = await import('@simplewebauthn/browser')
  if (!library.browserSupportsWebAuthn()) return { problem: 'This browser cannot use passkeys.' }
  try {
    return { passkey: await run(library) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.warn('the browser gave no passkey', error)
    return { problem: WORDS[error.name] ?? 'Your browser gave no passkey. Please try again, or go on another way.' }
  }
}

/** By the names of the errors of the Web Authentication API. */
const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: it was cancelled, took too long, or this device has none for Holdfast.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address.',
}
