import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** One record put (its new value) or deleted (null). */
export type Change = readonly [collection: string, id: string, value: unknown]

const FILE = 'state.jsonl'
/** The file is rewritten with what is alive when it has outgrown both this and twice its last rewriting. */
const COMPACT_FROM_BYTES = 4 * 1024 * 1024
const COMPACT_GROWTH = 2

interface Waiting {
  readonly line: string
  readonly done: () => void
  readonly failed: (error: Error) => void
}

/**
 * An append-only file of JSON lines. Each line holds the changes of one command and either counts whole or not at all;
 * `append` resolves only when the line is on the disk. Lines that queue while a flush is out share the next one.
 */
export class Journal {
  private readonly waiting: Waiting[] = []
  private flushing: Promise<void> | null = null
  private bytes = 0
  private compactAt = COMPACT_FROM_BYTES
  private broken: Error | null = null

  private constructor(
    private readonly folder: string,
    private file: FileHandle,
    private readonly alive: () => Iterable<Change>,
  ) {}

  /**
   * Reads what the folder remembers into `apply`, then opens it for appending.
   *
   * @param alive every record that is alive now; called when the file is rewritten
   * @throws Error when a line in the middle is damaged; a torn last line (a kill in mid-write) is dropped, since its
   *   command was never answered
   */
  static async open(folder: string, apply: (change: Change) => void, alive: () => Iterable<Change>): Promise<Journal> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const lines = await readLines(join(folder, FILE))
    for (const line of lines) for (const change of line) apply(change)
    const journal = new Journal(folder, await rewrite(folder, [...alive()]), alive)
    await journal.measure()
    return journal
  }

  /** @throws Error when the disk refuses; from then on every call is refused, because order would be lost */
  append(changes: readonly Change[]): Promise<void> {
    if (this.broken) return Promise.reject(this.broken)
    return new Promise((done, failed) => {
      this.waiting.push({ line: `${JSON.stringify(changes)}\n`, done, failed })
      this.flushing ??= this.flush()
    })
  }

  /** Resolves when everything queued so far is on the disk or has been refused. */
  async settled(): Promise<void> {
    await this.flushing
  }

  /** Waits for what is queued and closes the file. */
  async close(): Promise<void> {
    await this.flushing
    await this.file.close()
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0)
      try {
        await this.write(batch.map(each => each.line).join(''))
        for (const each of batch) each.done()
      } catch (error) {
        this.broken = error instanceof Error ? error : new Error(String(error))
        for (const each of [...batch, ...this.waiting.splice(0)]) each.failed(this.broken)
      }
    }
    // In the same breath as the last look at the queue: a line that came in between would wait for ever.
    this.flushing = null
  }

  private async write(text: string): Promise<void> {
    // What is alive in memory already contains these lines, so rewriting the file also saves them.
    if (this.bytes + text.length > this.compactAt) {
      const old = this.file
      this.file = await rewrite(this.folder, [...this.alive()])
      await old.close()
      return this.measure()
    }
    await this.file.appendFile(text)
    await this.file.datasync()
    this.bytes += Buffer.byteLength(text)
  }

  private async measure(): Promise<void> {
    this.bytes = (await this.file.stat()).size
    this.compactAt = Math.max(COMPACT_FROM_BYTES, this.bytes * COMPACT_GROWTH)
  }
}

async function readLines(path: string): Promise<readonly (readonly Change[])[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n')
  lines.pop()
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as readonly Change[]
    } catch {
      throw new Error(`${path} is damaged in line ${index + 1}; move it away to begin anew`)
    }
  })
}

/** Writes a complete file beside the old one and puts it in its place in one step. */
async function rewrite(folder: string, changes: readonly Change[]): Promise<FileHandle> {
  const path = join(folder, FILE)
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const file = await open(fresh, 'ax', 0o600)
  try {
    let chunk = ''
    for (const change of changes) {
      chunk += `${JSON.stringify([change])}\n`
      if (chunk.length > 65_536) {
        await file.appendFile(chunk)
        chunk = ''
      }
    }
    await file.appendFile(chunk)
    await file.sync()
    await rename(fresh, path)
    const directory = await open(folder, 'r')
    await directory.sync().finally(() => directory.close())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
