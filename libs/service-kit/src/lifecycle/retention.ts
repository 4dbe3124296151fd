import { z } from 'zod'

/**
 * For how many days data of people is kept when it is not erased earlier: by kind, when the service's environment says nothing, at least,
 * and at most. The limits are part of the promise: no setting keeps a kind for longer, and none breaks what needs it for a while.
 * `docs/personal-data.md` says what each kind is.
 */
export const RETENTION = {
  SESSION_KEPT_DAYS: { usual: 90, least: 1, most: 365 },
  KNOWN_BROWSER_KEPT_DAYS: { usual: 365, least: 30, most: 365 },
  MAIL_KEPT_DAYS: { usual: 30, least: 1, most: 90 },
  TEXT_KEPT_DAYS: { usual: 30, least: 1, most: 90 },
  VERIFICATION_KEPT_DAYS: { usual: 30, least: 1, most: 365 },
  ENQUIRY_KEPT_DAYS: { usual: 730, least: 30, most: 1_095 },
  INVITATION_KEPT_DAYS: { usual: 30, least: 1, most: 365 },
  // Not shorter than idempotency keys are kept: a filing that is repeated must find the refused one.
  REFUSED_FILING_KEPT_DAYS: { usual: 30, least: 8, most: 365 },
} as const

export type RetentionSetting = keyof typeof RETENTION

/** The environment variables for some kinds. The service spreads them into its own shape. */
export function retentionShape<S extends RetentionSetting>(...settings: readonly S[]) {
  const fields = settings.map(name => {
    const { usual, least, most } = RETENTION[name]
    return [name, z.coerce.number('Must be a number of days').int().min(least).max(most).default(usual)] as const
  })
  return Object.fromEntries(fields) as Record<S, z.ZodDefault<z.ZodCoercedNumber>>
}
