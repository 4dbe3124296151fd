import { fileURLToPath } from 'node:url'
import { FolderStorage } from './folder-storage.js'
import type { ObjectStorage } from './object-storage.js'

/** Whether a STORAGE_URL names a storage that `openStorage` can open. */
export const isStorageUrl = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'file:'

/**
 * Opens the storage a STORAGE_URL names: `file:///absolute/folder`.
 *
 * @throws Error when the URL names nothing we can open, or the folder cannot be made
 */
export async function openStorage(url: string): Promise<ObjectStorage> {
  if (!isStorageUrl(url)) throw new Error('STORAGE_URL must be file:///absolute/folder')
  return FolderStorage.open(fileURLToPath(url))
}
