import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { BUILD_RECORDS } from './built.js'
import { Failure } from './failure.js'

const MB = 1024 * 1024
/** Space for a first install, the build and an empty database. */
const FREE_TO_INSTALL_BYTES = 1500 * MB
/** The least space with which a database and its logs can work. */
const FREE_TO_RUN_BYTES = 200 * MB
/** With less free space a process that ended is not started again: its first write would fail. */
const FREE_TO_REVIVE_BYTES = 32 * MB
/** Error codes of failed writes, in words. */
const REASONS = {
  EACCES: 'may not be written by your account',
  EPERM: 'may not be written by your account',
  ENOENT: 'cannot be made there',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk where your quota is used up',
  ENOTDIR: 'is not a folder',
  EEXIST: 'is not a folder',
}

/** Where an install and a build write, below the checkout. */
const WRITTEN = ['.', 'node_modules', BUILD_RECORDS]

const CONNECT_TIMEOUT_MS = 500
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

function hasGlibc() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return header.glibcVersionRuntime !== undefined
}

/** Refuses a machine on which PostgreSQL's binaries do not run. */
export function checkPlatform() {
  const platform = `${process.platform}-${process.arch}`
  if (!PLATFORMS.includes(platform)) {
    throw new Failure(`Holdfast starts on Linux and macOS (x64, arm64), and this machine is ${platform}.`)
  }
  if (process.platform === 'linux' && !hasGlibc()) {
    throw new Failure('PostgreSQL from npm needs a Linux with glibc (Debian, Ubuntu, Fedora, …), not musl.')
  }
}

/**
 * Refuses a checkout that another account has installed or built, since this one could not update it, and one whose disk is
 * full: the data folder may be on another disk.
 */
export function checkCheckout(root) {
  const folders = WRITTEN.map(folder => path.join(root, folder)).filter(folder => fs.existsSync(folder))
  const records = path.join(root, BUILD_RECORDS)
  const files = fs.existsSync(records) ? fs.readdirSync(records).map(name => path.join(records, name)) : []
  for (const file of [...folders, ...files]) {
    try {
      fs.accessSync(file, fs.constants.W_OK)
    } catch (error) {
      throw new Failure(
        `${file} may not be written by your account (${error.code}): start as the user who owns it, or change its owner.`,
      )
    }
  }
  const free = freeBytes(root)
  if (free < FREE_TO_REVIVE_BYTES)
    throw new Failure(`The disk of ${root} has ${Math.floor(free / MB)} MB free: make room, a build writes there.`)
}

/** Makes the data folder when there is none. Refuses it when files cannot be written there or the disk is nearly full. */
export function checkDisk(dataDir, { installed }) {
  try {
    makeFolder(dataDir)
    refuseForeignFolder(dataDir)
    const probe = path.join(dataDir, `.probe-${process.pid}`)
    fs.writeFileSync(probe, Buffer.alloc(4096))
    fs.rmSync(probe)
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(diskSentence(dataDir, error))
  }
  const free = freeBytes(dataDir)
  const needed = installed ? FREE_TO_RUN_BYTES : FREE_TO_INSTALL_BYTES
  if (free < needed) {
    throw new Failure(
      `The disk of ${dataDir} has ${Math.floor(free / MB)} MB free and Holdfast needs ${needed / MB} MB: make room, or choose another DATA_DIR.`,
    )
  }
}

/** True while the disk of a folder has room for a process that starts again. */
export const hasRoom = folder => freeBytes(folder) >= FREE_TO_REVIVE_BYTES

function freeBytes(folder) {
  const { bavail, bsize } = fs.statfsSync(folder)
  return bavail * bsize
}

// Root could write there, and would leave files that the folder's owner cannot use.
function refuseForeignFolder(folder) {
  const { uid } = fs.statSync(folder)
  if (uid === process.getuid?.()) return
  throw new Failure(
    `The data folder ${folder} belongs to another user (number ${uid}): start as that user, or choose another DATA_DIR.`,
  )
}

// One by one: the recursive mkdir of Node never returns below /proc, and names a wrong reason on a read-only disk.
function makeFolder(folder) {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder))
  fs.mkdirSync(folder, { mode: 0o700 })
}

/** Explains a failed write in one sentence. Throws errors of other kinds on. */
export function diskSentence(folder, error) {
  const reason = REASONS[error.code]
  if (reason === undefined) throw error
  return `The data folder ${folder} ${reason} (${error.code}): choose another DATA_DIR, or put that right.`
}

/** True when a write failed because of the disk or its permissions. */
export const isDiskTrouble = error => error.code in REASONS

/** Refuses a port that another program uses, or that may not be opened. */
export async function checkPort(host, port) {
  const taken = new Failure(
    `Port ${port} is taken by another program: stop that one, or choose another port, such as PORT=${port + 1} npm start.`,
  )
  // A browser may resolve "localhost" to either address, and macOS lets us listen beside a program that listens on all.
  for (const address of ['127.0.0.1', '::1']) {
    if (await answers(address, port)) throw taken
  }
  const code = await listenError(host, port)
  if (code === 'EADDRINUSE') throw taken
  if (code === 'EACCES')
    throw new Failure(`Port ${port} may not be opened by your account: choose one above 1023, such as 3000.`)
  if (code !== null)
    throw new Failure(`Holdfast cannot listen on ${host}:${port} (${code}): choose another HOST or PORT.`)
}

function answers(address, port) {
  return new Promise(resolve => {
    const socket = net.connect({ host: address, port, timeout: CONNECT_TIMEOUT_MS })
    const end = answer => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

/** The error code with which listening on host:port fails, or null when it works. */
export function listenError(host, port) {
  return new Promise(resolve => {
    const server = net.createServer()
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
