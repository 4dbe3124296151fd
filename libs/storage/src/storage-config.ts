import { z } from 'zod'
import { readS3Url } from './s3-settings.js'

const FORMS = 'must be file:///absolute/folder or s3+https://host:port/bucket'

/** The environment variables of a service that stores objects. */
export const storageShape = {
  /** Where objects are stored: a folder, or a bucket of an S3 server. */
  STORAGE_URL: z.string().refine(url => isFolderUrl(url) || readS3Url(url) !== null, FORMS),
  /** The login at the S3 server, and the region of the bucket. A folder needs none of them. */
  STORAGE_ACCESS_KEY: z.string().optional(),
  STORAGE_SECRET_KEY: z.string().optional(),
  STORAGE_REGION: z.string().optional(),
}

/** The part of a configuration that code with a storage reads. */
export type StorageConfig = Readonly<z.output<z.ZodObject<typeof storageShape>>>

/** Whether a STORAGE_URL names a folder. `file://data/files` names one of a machine called data: two slashes where three were meant. */
export const isFolderUrl = (url: string): boolean =>
  URL.canParse(url) && new URL(url).protocol === 'file:' && new URL(url).host === ''

/** What is wrong with a well-formed configuration: an S3 server needs a login, and production needs such a server, over https. */
export function storageRefusals(config: StorageConfig & { readonly NODE_ENV: string }) {
  const needsLogin = readS3Url(config.STORAGE_URL) !== null
  const missing = (variable: keyof StorageConfig) => (needsLogin && !config[variable] ? 'is missing' : undefined)
  return {
    STORAGE_URL: config.NODE_ENV === 'production' ? notForProduction(config.STORAGE_URL) : undefined,
    STORAGE_ACCESS_KEY: missing('STORAGE_ACCESS_KEY'),
    STORAGE_SECRET_KEY: missing('STORAGE_SECRET_KEY'),
    STORAGE_REGION: missing('STORAGE_REGION'),
  }
}

function notForProduction(url: string): string | undefined {
  const s3 = readS3Url(url)
  if (s3 === null) return 'must not be a folder in production: the pictures would be lost with its machine'
  return s3.secure ? undefined : 'must be s3+https in production: others on the way could read the pictures'
}
