import fs from 'node:fs'
import path from 'node:path'

// Only what the product itself put there is ever removed, so that a DATA_DIR that points to the wrong place costs
// nobody their files.
const OURS = ['postgres', 'postgres.new', 'files', 'logs', 'secrets.json', 'processes.json', 'ports.json', 'demo.json']

/** Removes everything the product keeps in its data folder. */
export function emptyDataDir(dataDir) {
  for (const name of OURS) fs.rmSync(path.join(dataDir, name), { recursive: true, force: true })
}

/** The port block this data folder had last time, or one that depends on its path. */
export function preferredBlock(dataDir) {
  const file = path.join(dataDir, 'ports.json')
  if (fs.existsSync(file)) {
    const { block } = JSON.parse(fs.readFileSync(file, 'utf8'))
    if (Number.isInteger(block) && block >= 0) return block
  }
  return [...dataDir].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_003, 7)
}

/** Notes the ports of this run: the next one prefers them, and people can find them. */
export function notePorts(dataDir, { block, ports }) {
  fs.writeFileSync(path.join(dataDir, 'ports.json'), `${JSON.stringify({ block, ports }, null, 2)}\n`)
}
