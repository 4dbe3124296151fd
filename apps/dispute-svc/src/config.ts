import { encryptionRefusals, encryptionShape } from '@holdfast/encryption/encryption-config'
import { baseShape, databaseShape, dayShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { retentionShape } from '@holdfast/service-kit/lifecycle/retention'
import { storageRefusals, storageShape } from '@holdfast/storage/storage-config'
import { timersShape } from '@holdfast/timers/timers-config'
import { z } from 'zod'

/** The environment variables of this service. */
const configShape = {
  ...baseShape,
  ...databaseShape,
  ...timersShape,
  ...dayShape,
  ...storageShape,
  ...encryptionShape,
  ...retentionShape('REFUSED_FILING_KEPT_DAYS'),
  ESCROW_URL: z.url({ protocol: /^https?$/ }),
}

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadDisputeConfig = (env?: NodeJS.ProcessEnv) =>
  loadConfig(configShape, env, config => ({ ...encryptionRefusals(config), ...storageRefusals(config) }))

export type DisputeConfig = ReturnType<typeof loadDisputeConfig>
