import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/config'
import { z } from 'zod'

const isSecure = (url: string) => new URL(url).protocol === 'https:'

/** The configuration of this process, read once. */
export const config = loadConfig(
  {
    ...baseShape,
    ...databaseShape,
    /** The product's own origin: https decides that the session cookie is Secure. */
    PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  },
  process.env,
  ({ NODE_ENV, PUBLIC_URL }) => ({
    PUBLIC_URL: NODE_ENV === 'production' && !isSecure(PUBLIC_URL) ? 'must be https in production' : undefined,
  }),
)
