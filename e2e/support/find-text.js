import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { required } from './environment.js'
import { databaseUrl, dataDir } from './product-data.js'

const SEARCH = fileURLToPath(new URL('../../tools/dev/find-text.js', import.meta.url))
const run = promisify(execFile)
/** The indexes of Kafka's segments. They hold positions only, and are large. */
const POSITIONS = /\.(time)?index$/

/** Where texts are in the database of the started product: `{ table, column, text, rows }` for each. */
export async function findInDatabase(texts) {
  const env = { ...process.env, DATABASE_URL: databaseUrl() }
  const { stdout } = await run(process.execPath, [SEARCH, ...texts], { env })
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

/** The logs that contain one of the texts: `{ log, text, line }`, the first line of each. */
export function findInLogs(texts) {
  return readdirSync(required('LOGS_DIR')).flatMap(log => {
    const lines = readFileSync(path.join(required('LOGS_DIR'), log), 'utf8').split('\n')
    return texts.flatMap(text => {
      const line = lines.find(each => each.toLowerCase().includes(text.toLowerCase()))
      return line === undefined ? [] : [{ log, text, line: line.slice(0, 300) }]
    })
  })
}

/**
 * Which of the texts are in the files of an engine: `kafka` (topics, and the engine's own log), `redis` (every command since its last
 * rewrite, so also keys that are deleted), `s3` with all versions of objects, or `files`. Neither compresses what it writes.
 */
export function findInFiles(engine, texts) {
  const found = new Set()
  for (const file of filesOf(engine)) {
    const content = contentOf(file)
    for (const text of texts) if (content.includes(text.toLowerCase())) found.add(text)
  }
  return [...found]
}

function contentOf(file) {
  try {
    return readFileSync(file, 'latin1').toLowerCase()
  } catch (error) {
    // An engine removes files while we read. What is in no file any more is not kept.
    if (error.code !== 'ENOENT') throw error
    return ''
  }
}

/** Whether the storage has an object: a folder, or an S3 server at home, with all versions of an object. */
export const isStored = hash => [...filesOf('files'), ...filesOf('s3')].some(file => file.includes(hash))

function filesOf(engine) {
  const folder = path.join(dataDir(), engine)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .map(name => path.join(folder, name))
    .filter(file => !POSITIONS.test(file) && statSync(file, { throwIfNoEntry: false })?.isFile())
}
