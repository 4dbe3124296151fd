import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LOGS_DIR } from './environment.js'

const SEARCH = fileURLToPath(new URL('../../tools/dev/find-text.js', import.meta.url))
const run = promisify(execFile)
const dataDir = () => path.dirname(LOGS_DIR)
const setting = name => JSON.parse(readFileSync(path.join(dataDir(), name), 'utf8'))

/** Where texts are in the database of the started product: `{ table, column, text, rows }` for each. */
export async function findInDatabase(texts) {
  const { postgresPassword } = setting('secrets.json')
  const { ports } = setting('ports.json')
  const DATABASE_URL = `postgres://postgres:${postgresPassword}@127.0.0.1:${ports.postgres}/holdfast`
  const { stdout } = await run(process.execPath, [SEARCH, ...texts], { env: { ...process.env, DATABASE_URL } })
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

/** The logs that contain one of the texts: `{ log, text, line }`, the first line of each. */
export function findInLogs(texts) {
  return readdirSync(LOGS_DIR).flatMap(log => {
    const lines = readFileSync(path.join(LOGS_DIR, log), 'utf8').split('\n')
    return texts.flatMap(text => {
      const line = lines.find(each => each.toLowerCase().includes(text.toLowerCase()))
      return line === undefined ? [] : [{ log, text, line: line.slice(0, 300) }]
    })
  })
}

/** Whether the storage has an object: a folder, or an S3 server at home, with all versions of an object. */
export const isStored = hash =>
  ['files', 's3']
    .map(name => path.join(dataDir(), name))
    .filter(existsSync)
    .some(folder => readdirSync(folder, { recursive: true }).some(name => name.includes(hash)))
