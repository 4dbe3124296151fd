import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Failure } from '../dev/failure.js'

const BYTES = 32 * 1024 * 1024
const FILE_BYTES = 1024 * 1024

/**
 * Mounts a small disk of its own, in a file, at `folder/disk`. It needs the rights of root and a loop device. Answers its folder, or null
 * when it cannot be mounted. Adds to `undo` what unmounts it.
 */
export function mountDisk(folder, undo) {
  const [image, mounted] = ['disk.img', 'disk'].map(name => path.join(folder, name))
  fs.mkdirSync(mounted)
  fs.writeFileSync(image, '')
  fs.truncateSync(image, BYTES)
  const run = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
  // Without blocks kept for root, so that it is full when it is full.
  if (!run('mkfs.ext4', '-q', '-m', '0', image) || !run('mount', '-o', 'loop', image, mounted)) return null
  undo.push(() => run('umount', mounted))
  return mounted
}

/** Writes to a disk until it is full. Answers what frees it again. @throws Failure without a disk */
export function fill(disk) {
  if (disk === null) throw new Failure('No disk could be mounted: that takes root and a loop device.')
  const file = path.join(disk, 'filler')
  const opened = fs.openSync(file, 'w')
  try {
    for (;;) fs.writeSync(opened, Buffer.alloc(FILE_BYTES))
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error
  } finally {
    fs.closeSync(opened)
  }
  return () => fs.rmSync(file)
}
