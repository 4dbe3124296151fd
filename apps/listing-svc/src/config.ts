import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { isStorageUrl } from '@holdfast/storage/open-storage'
import { z } from 'zod'

/** The environment variables of this service. */
const configShape = {
  ...baseShape,
  ...databaseShape,
  /** The storage of pictures. */
  STORAGE_URL: z.string().refine(isStorageUrl, 'must be file:///absolute/folder'),
}

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadListingConfig = (env?: NodeJS.ProcessEnv) =>
  loadConfig(configShape, env, ({ NODE_ENV, STORAGE_URL }) => ({
    STORAGE_URL:
      NODE_ENV === 'production' && STORAGE_URL.startsWith('file:')
        ? 'must not be a folder in production: the pictures would be lost with its machine'
        : undefined,
  }))

export type ListingConfig = ReturnType<typeof loadListingConfig>
