import { isSecure } from '@holdfast/contracts/session-cookie'
import { mailRefusals, mailShape } from '@holdfast/mail/mail-config'
import { baseShape, databaseShape, dayShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { z } from 'zod'

/** The environment variables of this service. */
const configShape = {
  ...baseShape,
  ...databaseShape,
  ...dayShape,
  ...mailShape,
  /** Where support tickets are mailed, and enquiries of companies. */
  SUPPORT_EMAIL: z.email(),
  SALES_EMAIL: z.email(),
  /** The product's own origin. When it is https, the session cookie is Secure. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
}

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadIdentityConfig = (env?: NodeJS.ProcessEnv) =>
  loadConfig(configShape, env, config => ({
    PUBLIC_URL:
      config.NODE_ENV === 'production' && !isSecure(config.PUBLIC_URL) ? 'must be https in production' : undefined,
    ...mailRefusals(config),
  }))

export type IdentityConfig = ReturnType<typeof loadIdentityConfig>
