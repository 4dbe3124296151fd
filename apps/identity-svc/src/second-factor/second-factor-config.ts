import { z } from 'zod'

export const secondFactorShape = {
  /** Whether admins need a second factor. Production requires it. */
  ADMIN_SECOND_FACTOR: z.enum(['required', 'optional']).optional(),
  /** The domain for which passkeys hold; the host of PUBLIC_URL when left out. A passkey does not work under another domain. */
  PASSKEY_DOMAIN: z.string().min(1).optional(),
}

interface SecondFactorConfig {
  readonly NODE_ENV: string
  readonly PUBLIC_URL: string
  readonly ADMIN_SECOND_FACTOR?: 'required' | 'optional' | undefined
  readonly PASSKEY_DOMAIN?: string | undefined
}

/** What is wrong with the configuration of the second factor; undefined where nothing is. */
export function secondFactorRefusals({
  NODE_ENV,
  PUBLIC_URL,
  ADMIN_SECOND_FACTOR,
  PASSKEY_DOMAIN,
}: SecondFactorConfig) {
  const { hostname } = new URL(PUBLIC_URL)
  const isOurs = PASSKEY_DOMAIN === undefined || `.${hostname}`.endsWith(`.${PASSKEY_DOMAIN}`)
  return {
    ADMIN_SECOND_FACTOR:
      NODE_ENV === 'production' && ADMIN_SECOND_FACTOR === 'optional' ? 'must be required in production' : undefined,
    PASSKEY_DOMAIN: isOurs ? undefined : 'must be the host of PUBLIC_URL or a domain above it',
  }
}

/** Whether an admin's session needs a second factor: in production always. */
export const adminsNeedSecondFactor = ({
  NODE_ENV,
  ADMIN_SECOND_FACTOR,
}: Pick<SecondFactorConfig, 'NODE_ENV' | 'ADMIN_SECOND_FACTOR'>): boolean =>
  NODE_ENV === 'production' || ADMIN_SECOND_FACTOR === 'required'

/** The domain and the origin for which passkeys are made and used (Web Authentication Level 3, section 5.1.2). */
export function relyingPartyOf({
  PUBLIC_URL,
  PASSKEY_DOMAIN,
}: Pick<SecondFactorConfig, 'PUBLIC_URL' | 'PASSKEY_DOMAIN'>) {
  const { hostname, origin } = new URL(PUBLIC_URL)
  return { domain: PASSKEY_DOMAIN ?? hostname, origin }
}
