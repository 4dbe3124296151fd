import { encryptionRefusals, encryptionShape } from '@holdfast/encryption/encryption-config'
import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { storageRefusals, storageShape } from '@holdfast/storage/storage-config'

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadMessagingConfig = (env?: NodeJS.ProcessEnv) =>
  loadConfig({ ...baseShape, ...databaseShape, ...encryptionShape, ...storageShape }, env, config => ({
    ...encryptionRefusals(config),
    ...storageRefusals(config),
  }))

export type MessagingConfig = ReturnType<typeof loadMessagingConfig>
