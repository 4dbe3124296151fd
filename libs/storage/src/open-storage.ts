import { fileURLToPath } from 'node:url'
import { FolderStorage } from './folder-storage.js'
import type { ObjectStorage } from './object-storage.js'

/** Whether a STORAGE_URL names a storage that `openStorage` can open. */
export function isStorageUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  // `file://data/files` names a folder of a machine called data: two slashes where three were meant.
  return protocol === 'file:' && host === ''
}

/**
 * Opens the storage a STORAGE_URL names: `file:///absolute/folder`.
 *
 * @throws Error when the URL has another form, or the folder cannot be created
 */
export async function openStorage(url: string): Promise<ObjectStorage> {
  if (!isStorageUrl(url)) throw new Error('STORAGE_URL must be file:///absolute/folder')
  return FolderStorage.open(fileURLToPath(url))
}
