import fs from 'node:fs'
import path from 'node:path'

// Only these are ever removed: a DATA_DIR that names the wrong folder must not cost a person their files. `sandbox` was
// made by versions that kept the sandbox's state in a file.
const OURS = [
  'postgres',
  'postgres.new',
  'files',
  'kafka',
  'redis',
  's3',
  'pgbouncer',
  'logs',
  'secrets.json',
  'processes.json',
  'processes.json.new',
  'ports.json',
  'demo.json',
  'sandbox',
]

/** Removes everything the product keeps in its data folder. */
export function emptyDataDir(dataDir) {
  for (const name of OURS) fs.rmSync(path.join(dataDir, name), { recursive: true, force: true })
}

/** The number of the port block that this data folder had last time, or one computed from its path. */
export function preferredBlock(dataDir) {
  const file = path.join(dataDir, 'ports.json')
  if (fs.existsSync(file)) {
    const { block } = JSON.parse(fs.readFileSync(file, 'utf8'))
    if (Number.isInteger(block) && block >= 0) return block
  }
  return [...dataDir].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_003, 7)
}

/** Writes the ports of this run to `ports.json`: the next run prefers them, and people can look them up. */
export function notePorts(dataDir, { block, ports }) {
  fs.writeFileSync(path.join(dataDir, 'ports.json'), `${JSON.stringify({ block, ports }, null, 2)}\n`)
}
