import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { assert } from '@holdfast/kernel/assert'
import {
  assertOwnKey,
  CONTENT_TYPES,
  type ContentType,
  isObjectKey,
  type ObjectStorage,
  type StoredObject,
} from './object-storage.js'

const SUFFIX: Record<ContentType, string> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/octet-stream': 'bin',
}
const INCOMING = '.incoming'
/** A file that is in `.incoming` for longer was left there by a process that died. */
const ABANDONED_AFTER_MS = 3_600_000
/** The most abandoned files that are removed when the storage is opened. */
const MAX_REMOVED = 1_000

/**
 * Objects as files of one folder: `ab/cd/abcd….jpg`, in two levels so that no directory grows long. A file is written in
 * `.incoming`, synced, and renamed to its path, so a reader sees all of it or nothing, also after a power cut.
 */
export class FolderStorage implements ObjectStorage {
  private constructor(private readonly root: string) {}

  /** Creates the folder when it is missing, and removes incomplete files of a killed process. */
  static async open(root: string): Promise<FolderStorage> {
    assert(isAbsolute(root), 'the folder of the object storage is an absolute path')
    await mkdir(join(root, INCOMING), { recursive: true })
    await removeAbandoned(join(root, INCOMING))
    return new FolderStorage(root)
  }

  async put(key: string, bytes: Uint8Array, contentType: ContentType): Promise<void> {
    assertOwnKey(key, bytes)
    const existing = await this.#open(key)
    if (existing) {
      await existing.file.close()
      // The process that wrote the file may have died before it synced the folder; our answer promises that the file stays.
      if (existing.sizeBytes === bytes.byteLength) return syncFolder(dirname(existing.path))
      // A file gets its path only when it is complete, so one of another length was damaged later. Writing repairs it.
      return this.#write(existing.path, bytes)
    }
    return this.#write(this.#path(key, contentType), bytes)
  }

  async get(key: string): Promise<StoredObject | null> {
    const found = isObjectKey(key) ? await this.#open(key) : null
    if (!found) return null
    return { stream: found.file.createReadStream(), contentType: found.contentType, sizeBytes: found.sizeBytes }
  }

  async remove(key: string): Promise<void> {
    if (!isObjectKey(key)) return
    // A folder that is missing as a whole is a storage that is away: nothing can be said about what is in it.
    await this.check()
    for (const contentType of CONTENT_TYPES) {
      const path = this.#path(key, contentType)
      await rm(path, { force: true })
      await syncFolder(dirname(path)).catch(nullIfMissing)
    }
  }

  async check(): Promise<void> {
    await stat(join(this.root, INCOMING))
  }

  #path(key: string, contentType: ContentType): string {
    return join(this.root, key.slice(0, 2), key.slice(2, 4), `${key}.${SUFFIX[contentType]}`)
  }

  async #open(key: string) {
    for (const contentType of CONTENT_TYPES) {
      const path = this.#path(key, contentType)
      const file = await open(path, 'r').catch(nullIfMissing)
      if (file) return { file, path, contentType, sizeBytes: (await file.stat()).size }
    }
    return null
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    const incoming = join(this.root, INCOMING, randomUUID())
    try {
      const file = await open(incoming, 'wx')
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await mkdir(dirname(path), { recursive: true })
      await rename(incoming, path)
    } catch (error) {
      await rm(incoming, { force: true })
      throw error
    }
    // The folder above each level holds its name, and each level may be new, so all of them are synced.
    for (const folder of [dirname(path), dirname(dirname(path)), this.root]) await syncFolder(folder)
  }
}

/** The outcome of an operation on a file or folder that is not there. Every other error is thrown. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const names = (await readdir(folder)).slice(0, MAX_REMOVED)
  for (const name of names) {
    const path = join(folder, name)
    // Another process may have just renamed it.
    const found = await stat(path).catch(nullIfMissing)
    if (found && found.mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
}
