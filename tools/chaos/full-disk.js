import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { say } from '../dev/output.js'

const run = promisify(execFile)
const DISK = '128m'
const PIECE = Buffer.alloc(1024 * 1024, 'x')

/**
 * Mounts a small disk in memory at a folder, which is made. Answers what unmounts it; null, and says why, where it cannot be mounted.
 * @param {string} folder
 */
export async function mountSmallDisk(folder) {
  fs.mkdirSync(folder, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder])
  } catch (error) {
    say(`  No disk will be filled: ${error.stderr || error.message}`.trimEnd())
    return null
  }
  return () => run('umount', ['--lazy', folder])
}

/** Fills the disk of a folder to the last byte. Answers what frees it again. */
export function fillDisk(folder) {
  const file = path.join(folder, 'filler')
  const handle = fs.openSync(file, 'w')
  try {
    for (let size = PIECE.length; size > 0; ) {
      try {
        fs.writeSync(handle, PIECE, 0, size)
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error
        size = Math.floor(size / 2)
      }
    }
  } finally {
    fs.closeSync(handle)
  }
  return () => fs.rmSync(file, { force: true })
}
