import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = 'lock'
const TOUCH_EVERY_MS = 2_000
/** A lock nobody has touched this long belongs to a process that is gone, whatever now bears its number. */
const STALE_AFTER_MS = 8_000
const LOOK_EVERY_MS = 100

/**
 * Takes a folder for this process alone: two writers of one journal would lose each other's lines. A predecessor that is
 * still ending is waited for.
 *
 * @returns what gives the folder back
 * @throws Error when another process holds it for longer than `waitMs`
 */
export async function lockFolder(
  folder: string,
  waitMs = STALE_AFTER_MS + TOUCH_EVERY_MS,
): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, FILE)
  const deadline = Date.now() + waitMs
  while (!(await take(path))) {
    if (await isStale(path)) await rm(path, { force: true })
    else if (Date.now() > deadline) throw new Error(`${folder} is in use by another sandbox`)
    else await sleep(LOOK_EVERY_MS)
  }
  const touch = setInterval(() => {
    const now = new Date()
    // A touch that fails only makes the lock look old; the next one tries again.
    utimes(path, now, now).catch(() => undefined)
  }, TOUCH_EVERY_MS)
  touch.unref()
  return async () => {
    clearInterval(touch)
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > STALE_AFTER_MS) return true
    const pid = Number(await readFile(path, 'utf8'))
    // An empty file is one that is being written right now.
    return pid > 0 && !isAlive(pid)
  } catch (error) {
    // It was given back between two looks.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
