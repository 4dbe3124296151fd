import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const SIZE_BYTES = 64 * 2 ** 20
/** This share of the free space is left. It is below the alert's threshold of 5 %. */
const LEFT = 0.02

/** A small disk: a file with a file system of its own. node_exporter shows it as any other; the rules leave memory disks (tmpfs) out. */
export class SmallDisk {
  /** Where it is mounted. */
  mountPoint

  /** Mounts a new one. Answers null where this user may mount nothing, or without loop devices. */
  static mount(folder) {
    const image = path.join(folder, 'disk.img')
    const disk = new SmallDisk()
    disk.mountPoint = path.join(folder, 'disk')
    fs.mkdirSync(disk.mountPoint)
    fs.writeFileSync(image, '')
    fs.truncateSync(image, SIZE_BYTES)
    const isMounted =
      spawnSync('mkfs.ext4', ['-q', '-m', '0', image]).status === 0 &&
      spawnSync('mount', ['-o', 'loop', image, disk.mountPoint]).status === 0
    return isMounted ? disk : null
  }

  fill() {
    const { bavail, bsize } = fs.statfsSync(this.mountPoint)
    fs.writeFileSync(this.#file, Buffer.alloc(Math.floor(bavail * bsize * (1 - LEFT))))
  }

  empty() {
    fs.rmSync(this.#file)
  }

  unmount() {
    spawnSync('umount', [this.mountPoint])
  }

  get #file() {
    return path.join(this.mountPoint, 'filling')
  }
}
