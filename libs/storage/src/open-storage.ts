import { fileURLToPath } from 'node:url'
import { assert } from '@holdfast/kernel/assert'
import { FolderStorage } from './folder-storage.js'
import type { ObjectStorage } from './object-storage.js'
import { readS3Url } from './s3-settings.js'
import { isFolderUrl, type StorageConfig } from './storage-config.js'

/**
 * Opens the storage that a configuration names, which `storageShape` and `storageRefusals` have accepted.
 *
 * @throws Error when the folder cannot be created; StorageRefused when the S3 server refuses the settings; in production BucketIsPublic
 */
export async function openStorage(config: StorageConfig & { readonly NODE_ENV: string }): Promise<ObjectStorage> {
  const { STORAGE_URL, STORAGE_ACCESS_KEY: accessKey, STORAGE_SECRET_KEY: secretKey, STORAGE_REGION: region } = config
  if (isFolderUrl(STORAGE_URL)) return FolderStorage.open(fileURLToPath(STORAGE_URL))
  const s3 = readS3Url(STORAGE_URL)
  assert(s3 && accessKey && secretKey && region, 'the configuration of the storage was checked')
  // Its client takes long to load, and a product at home does not need it.
  const { S3Storage } = await import('./s3-storage.js')
  const isProduction = config.NODE_ENV === 'production'
  return S3Storage.open({ ...s3, accessKey, secretKey, region }, undefined, isProduction)
}
