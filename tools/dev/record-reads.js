// Loaded before the tests of a project by each process that runs them: writes the files of this checkout that the process reads to the file
// named in READS, one a line. run-tests.js compares them with the inputs that nx.json declares.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** What is installed, built or kept by tools stands for what it was made from. */
const MADE = /(^|\/)(node_modules|dist|\.build|\.nx|\.git|\.data)(\/|$)/

const { READS = '' } = process.env
const seen = new Set()
const { appendFileSync } = fs

function note(file) {
  if (typeof file !== 'string' && !(file instanceof URL)) return
  const name = path.relative(ROOT, file instanceof URL ? fileURLToPath(file) : path.resolve(file))
  if (name.startsWith('..') || MADE.test(name) || seen.has(name)) return
  seen.add(name)
  appendFileSync(READS, `${name}\n`)
}

/** @type {[any, string[]][]} */
const READING = [
  [fs, ['readFile', 'readFileSync', 'open', 'openSync', 'createReadStream']],
  [fs.promises, ['readFile', 'open']],
]
for (const [owner, names] of READING) {
  for (const name of names) {
    const read = owner[name]
    owner[name] = function (file, ...rest) {
      note(file)
      return read.call(this, file, ...rest)
    }
  }
}
syncBuiltinESMExports()
