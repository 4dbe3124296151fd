import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../../..')

/** One text of a source file, which the file must have exactly once, and the text in its place. */
export interface SourceChange {
  /** Says what the change does. */
  readonly name: string
  /** Relative to the checkout. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A service that was packed with changes of its sources. */
export interface ChangedService {
  /** The file with which Node starts it. */
  readonly file: string
  remove(): Promise<void>
}

/**
 * Packs a service with changes, such as those that make an older release of the present one. It packs what was compiled last, as the
 * build does before the tests.
 *
 * @throws Error when a file does not have the text of its change exactly once
 */
export async function packChangedService(service: string, changes: readonly SourceChange[]): Promise<ChangedService> {
  // It stands in the checkout, because it imports packages from its `node_modules`.
  const folder = await mkdtemp(join(ROOT, '.build/changed-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const script = join(ROOT, 'tools/dev/pack-changed.js')
  try {
    await promisify(execFile)(process.execPath, [script, service, folder, JSON.stringify(changes)])
  } catch (error) {
    await remove()
    throw new Error(`${service} could not be packed with its changes`, { cause: error })
  }
  return { file: join(folder, `${service}.js`), remove }
}
