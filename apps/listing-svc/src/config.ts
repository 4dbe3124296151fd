import { mailRefusals, mailShape } from '@holdfast/mail/mail-config'
import {
  baseShape,
  databaseShape,
  dayShape,
  loadConfig,
  readReplicaShape,
} from '@holdfast/service-kit/lifecycle/config'
import { retentionShape } from '@holdfast/service-kit/lifecycle/retention'
import { storageRefusals, storageShape } from '@holdfast/storage/storage-config'
import { timersShape } from '@holdfast/timers/timers-config'
import { z } from 'zod'

/** The environment variables of this service. */
const configShape = {
  ...baseShape,
  ...databaseShape,
  ...readReplicaShape,
  ...timersShape,
  ...dayShape,
  ...storageShape,
  ...mailShape,
  ...retentionShape('INVITATION_KEPT_DAYS'),
  /** The product's own origin, for links in mails. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
}

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadListingConfig = (env?: NodeJS.ProcessEnv) =>
  loadConfig(configShape, env, config => ({ ...storageRefusals(config), ...mailRefusals(config) }))

export type ListingConfig = ReturnType<typeof loadListingConfig>
