import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { storageRefusals, storageShape } from '@holdfast/storage/storage-config'

/** The environment variables of this service. */
const configShape = { ...baseShape, ...databaseShape, ...storageShape }

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadListingConfig = (env?: NodeJS.ProcessEnv) => loadConfig(configShape, env, storageRefusals)

export type ListingConfig = ReturnType<typeof loadListingConfig>
