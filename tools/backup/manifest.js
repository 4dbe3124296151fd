import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../dev/failure.js'

/** PostgreSQL's list of the files of a backup: "Backup Manifest Format" in its documentation. */
export const MANIFEST = 'backup_manifest'
/** The list's last entry is the hash of all that stands before it. */
const LAST_ENTRY = '"Manifest-Checksum"'

/**
 * Compares the files of a backup with its manifest, as `pg_verifybackup -n` does: each is there, has its size and its SHA-256, and there
 * is no other. Answers the number of files.
 *
 * @throws Failure that names what differs
 */
export async function verifyBackup(folder) {
  const text = fs.readFileSync(path.join(folder, MANIFEST), 'utf8')
  const manifest = JSON.parse(text)
  const signed = text.slice(0, text.lastIndexOf(LAST_ENTRY))
  if (createHash('sha256').update(signed).digest('hex') !== manifest['Manifest-Checksum'])
    throw new Failure(`The backup in ${folder} is damaged: ${MANIFEST} was changed.`)
  const files = new Map(
    manifest.Files.map(file => [file.Path ?? Buffer.from(file['Encoded-Path'], 'hex').toString(), file]),
  )
  const damaged = []
  for (const [name, file] of files) if (!(await isAsListed(path.join(folder, name), file))) damaged.push(name)
  const added = filesBelow(folder).filter(name => name !== MANIFEST && !files.has(name))
  if (damaged.length + added.length > 0)
    throw new Failure(
      `The backup in ${folder} is damaged.`,
      [...damaged.map(name => `not as listed: ${name}`), ...added.map(name => `not listed: ${name}`)].slice(0, 20),
    )
  return files.size
}

async function isAsListed(file, { Size, Checksum, 'Checksum-Algorithm': algorithm }) {
  if (algorithm !== 'SHA256') throw new Failure(`A backup needs SHA256 checksums, and this one has ${algorithm}.`)
  if (fs.statSync(file, { throwIfNoEntry: false })?.size !== Size) return false
  const hash = createHash('sha256')
  await pipeline(fs.createReadStream(file), hash)
  return hash.digest('hex') === Checksum
}

function filesBelow(folder, prefix = '') {
  const entries = fs.readdirSync(path.join(folder, prefix), { withFileTypes: true })
  return entries.flatMap(entry => {
    const name = path.posix.join(prefix, entry.name)
    return entry.isDirectory() ? filesBelow(folder, name) : [name]
  })
}
