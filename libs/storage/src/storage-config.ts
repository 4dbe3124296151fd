import { z } from 'zod'
import { isStorageUrl } from './open-storage.js'

/** The environment variable of a service that stores objects. */
export const storageShape = {
  /** Where objects are stored. */
  STORAGE_URL: z.string().refine(isStorageUrl, 'must be file:///absolute/folder'),
}

/** The part of a configuration that code with a storage reads. */
export interface StorageConfig {
  readonly STORAGE_URL: string
}

/** What is wrong with a well-formed STORAGE_URL: in production it must not be a folder. */
export const storageRefusals = ({ NODE_ENV, STORAGE_URL }: StorageConfig & { readonly NODE_ENV: string }) => ({
  STORAGE_URL:
    NODE_ENV === 'production' && STORAGE_URL.startsWith('file:')
      ? 'must not be a folder in production: the pictures would be lost with its machine'
      : undefined,
})
