import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ENGINES } from './engines.js'

/** An empty object storage for a test: a folder, or on the distributed profile a bucket of the S3 server. */
export class ScratchStorage {
  private constructor(
    /** Where its objects lie as files. The name of each contains its key. */
    readonly folder: string,
    /** The variables with which a service uses it. */
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async make(): Promise<ScratchStorage> {
    if (!ENGINES) {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-storage-'))
      return new ScratchStorage(folder, { STORAGE_URL: pathToFileURL(folder).href })
    }
    const bucket = `scratch-${randomBytes(6).toString('hex')}`
    const folder = join(ENGINES.buckets, bucket)
    // A folder of the server is a bucket.
    await mkdir(folder)
    const { STORAGE_URL, ...login } = ENGINES.environment
    return new ScratchStorage(folder, { ...login, STORAGE_URL: STORAGE_URL.replace(/[^/]+$/, bucket) })
  }

  /** The paths of the stored objects' files. */
  async files(): Promise<string[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true })
    return entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  }

  /** The path of an object's file. */
  async findFile(key: string): Promise<string | undefined> {
    return (await this.files()).find(path => basename(path).includes(key))
  }

  /** Takes the folder or the bucket away while `work` runs. */
  async without(work: () => Promise<unknown>): Promise<void> {
    await rename(this.folder, `${this.folder}-away`)
    try {
      await work()
    } finally {
      await rename(`${this.folder}-away`, this.folder)
    }
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}
