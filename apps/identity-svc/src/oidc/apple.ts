import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import type { ClientAuth } from 'openid-client'
import { z } from 'zod'

/** Apple accepts a secret for six months. One is made for each call, so it may end soon. */
const SECRET_LASTS = '5 minutes'
const AUDIENCE = 'https://appleid.apple.com'

/** What signs the client secret: the key of the developer account (`AuthKey_<keyId>.p8`). */
export interface AppleKey {
  readonly teamId: string
  readonly keyId: string
  /** PKCS #8 in PEM, of the curve P-256. */
  readonly privateKey: string
}

/** Whether a text is a private key with which Apple's client secret can be signed. */
export function isAppleKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/**
 * Authenticates at Apple's token endpoint, where the client secret is a token that we sign (ES256).
 *
 * Source: developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export function appleClientAuth({ teamId, keyId, privateKey }: AppleKey): ClientAuth {
  const key = createPrivateKey(privateKey)
  return async (_, { client_id: clientId }, body) => {
    const secret = new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(SECRET_LASTS)
    body.set('client_id', clientId)
    body.set('client_secret', await secret.sign(key))
  }
}

const Named = z.object({ name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }) })

/**
 * The name in Apple's answer, as claims. Apple gives it at a person's first sign-in only, beside its signed token: it passes through
 * the person's browser, like a name that is typed into a form.
 */
export function nameInAnswer(answer: string): { readonly given_name?: string; readonly family_name?: string } {
  const user = new URLSearchParams(answer).get('user')
  if (user === null) return {}
  try {
    const { firstName, lastName } = Named.parse(JSON.parse(user)).name
    return { ...(firstName && { given_name: firstName }), ...(lastName && { family_name: lastName }) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {}
    throw error
  }
}
