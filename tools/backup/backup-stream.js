import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Failure } from '../dev/failure.js'
import { MANIFEST } from './manifest.js'

// See BASE_BACKUP in the chapter "Streaming Replication Protocol" of PostgreSQL's documentation. The log that belongs to the files
// is not sent: it is in the archive.
const COMMAND = `BASE_BACKUP (LABEL 'holdfast', CHECKPOINT 'fast', WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`
// The kinds of messages in the copy stream.
const [NEW_ARCHIVE, MANIFEST_BEGINS, DATA] = ['n', 'm', 'd'].map(letter => letter.charCodeAt(0))

/**
 * Asks a server for its files, and writes them and their manifest into a folder. Answers where in the log the backup ends.
 *
 * @param {import('pg').Client} client in replication mode
 */
export async function receiveBackup(client, folder) {
  const tar = spawn('tar', ['-x', '-p', '--no-same-owner', '-f', '-', '-C', folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const manifest = fs.createWriteStream(path.join(folder, MANIFEST), { mode: 0o600 })
  const unpacked = exitOf(tar)
  const kept = new Promise((resolve, reject) => manifest.once('close', () => resolve(undefined)).once('error', reject))
  // Whichever of these fails first is reported; the failures of the others follow from it. In the race below, only the answer of the
  // server may end it with success: tar and the manifest wait for more until then.
  for (const each of [unpacked, kept]) each.catch(() => undefined)
  try {
    const stopLsn = await Promise.race([
      new Promise((resolve, reject) => client.query(new BackupQuery(tar.stdin, manifest, { resolve, reject }))),
      unpacked.then(() => new Promise(() => {})),
      kept.then(() => new Promise(() => {})),
    ])
    tar.stdin.end()
    manifest.end()
    await Promise.all([unpacked, kept])
    return { stopLsn }
  } catch (error) {
    tar.kill()
    manifest.destroy()
    throw error
  }
}

/** A query of `pg` whose answer is the stream of a backup. */
class BackupQuery {
  #outputs
  #output
  #settled
  #row

  constructor(files, manifest, settled) {
    this.#outputs = { files, manifest }
    this.#settled = settled
  }

  submit(connection) {
    connection.query(COMMAND)
    return null
  }

  handleRowDescription() {}
  handleCommandComplete() {}

  // The first row says where the backup begins, the last one where it ends. Between them is a row for each tablespace.
  handleDataRow({ fields }) {
    this.#row = fields
  }

  handleCopyData({ chunk }, connection) {
    const kind = chunk[0]
    if (kind === NEW_ARCHIVE) this.#begin(chunk, connection.stream)
    else if (kind === MANIFEST_BEGINS) this.#output = this.#outputs.manifest
    // The parser uses its memory again, so the output gets a copy.
    else if (kind === DATA) this.#write(Buffer.from(chunk.subarray(1)), connection.stream)
  }

  // A stream that has ended never says that it can take more.
  handleReadyForQuery(connection) {
    connection.stream.resume()
    this.#settled.resolve(this.#row[0].toString())
  }

  handleError(error) {
    this.#settled.reject(error)
  }

  #begin(chunk, socket) {
    const [, place] = chunk.toString('utf8', 1).split('\0')
    this.#output = this.#outputs.files
    if (place === '') return
    this.#settled.reject(new Failure(`The server has a tablespace (${place}), which these backups do not know.`))
    socket.destroy()
  }

  // The server waits while the disk is slower than it.
  #write(bytes, socket) {
    if (this.#output.write(bytes) || socket.isPaused()) return
    socket.pause()
    this.#output.once('drain', () => socket.resume())
  }
}

function exitOf(tar) {
  let said = ''
  tar.stderr.on('data', text => {
    said += text
  })
  // When tar ends early, its exit code says more than the broken pipe.
  tar.stdin.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', code =>
      code === 0 ? resolve(undefined) : reject(new Failure(`tar could not write the files: ${said.trim()}`)),
    )
  })
}
