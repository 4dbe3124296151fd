import { isSecure } from '@holdfast/contracts/session-cookie'
import { encryptionRefusals, encryptionShape } from '@holdfast/encryption/encryption-config'
import { mailRefusals, mailShape } from '@holdfast/mail/mail-config'
import { baseShape, databaseShape, dayShape, loadConfig, type Refusals } from '@holdfast/service-kit/lifecycle/config'
import { retentionShape } from '@holdfast/service-kit/lifecycle/retention'
import { storageRefusals, storageShape } from '@holdfast/storage/storage-config'
import { timersShape } from '@holdfast/timers/timers-config'
import { z } from 'zod'
import { oidcRefusals, oidcShape } from './oidc/oidc-config.js'
import { pushRefusals, pushShape } from './push/push-config.js'
import { secondFactorRefusals, secondFactorShape } from './second-factor/second-factor-config.js'
import { smsRefusals, smsShape } from './sms/sms-config.js'

/** The environment variables of this service. */
export const identityShape = {
  ...baseShape,
  ...databaseShape,
  ...timersShape,
  ...dayShape,
  ...mailShape,
  ...storageShape,
  ...encryptionShape,
  ...oidcShape,
  ...pushShape,
  ...smsShape,
  ...secondFactorShape,
  ...retentionShape(
    'SESSION_KEPT_DAYS',
    'KNOWN_BROWSER_KEPT_DAYS',
    'TEXT_KEPT_DAYS',
    'VERIFICATION_KEPT_DAYS',
    'ENQUIRY_KEPT_DAYS',
  ),
  /** Where support tickets are mailed, and enquiries of companies. */
  SUPPORT_EMAIL: z.email(),
  SALES_EMAIL: z.email(),
  /** The product's own origin. When it is https, the session cookie is Secure. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
}

/** What is wrong with well-formed variables, such as what production does not allow. */
export const identityRefusals: Refusals<typeof identityShape> = config => ({
  PUBLIC_URL:
    config.NODE_ENV === 'production' && !isSecure(config.PUBLIC_URL) ? 'must be https in production' : undefined,
  ...mailRefusals(config),
  ...storageRefusals(config),
  ...encryptionRefusals(config),
  ...oidcRefusals(config),
  ...pushRefusals(config),
  ...smsRefusals(config),
  ...secondFactorRefusals(config),
})

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadIdentityConfig = (env?: NodeJS.ProcessEnv) => loadConfig(identityShape, env, identityRefusals)

export type IdentityConfig = ReturnType<typeof loadIdentityConfig>
