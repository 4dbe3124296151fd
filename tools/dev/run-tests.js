// `run-tests.js <test | integration> <folder>`: runs the tests of one project, as its targets of these names do (nx.json). A read of a file that
// is no input of the target counts as a failure: after a change of that file, the result in the cache of Nx would be wrong. Without
// DATABASE_URL, integration tests get a PostgreSQL of their own.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runJest } from './jest-run.js'
import { inputsOf } from './nx.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'
import { ROOT } from './settings.js'

const [target, folder] = process.argv.slice(2)

const KINDS = { test: [folder === 'apps/web' ? 'web' : 'unit'], integration: ['integration', 'waiting'] }
// Nx runs two projects at a time.
const WORKERS = 2
const RECORD_READS = pathToFileURL(path.join(ROOT, 'tools/dev/record-reads.js'))

await session(async (processes, undo) => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-tests-'))
  undo.push(() => fs.rmSync(scratch, { recursive: true }))
  const reads = path.join(scratch, 'reads')
  fs.writeFileSync(reads, '')
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    READS: reads,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${RECORD_READS}`,
    // Nx sets it, and a program that a test starts would then print a number with codes of colours.
    FORCE_COLOR: undefined,
  }
  if (target === 'integration' && !process.env.DATABASE_URL) {
    const database = await startScratchPostgres(processes)
    undo.push(database.discard)
    env.DATABASE_URL = database.url
  }
  // Jest reads every file below its roots, so that of other projects too.
  const patterns = [`--roots=${path.join(ROOT, folder)}`]
  const { failures } = await runJest(processes, KINDS[target], { patterns, env, workers: WORKERS })
  const read = new Set(fs.readFileSync(reads, 'utf8').split('\n'))
  // To ask Nx costs two seconds.
  const always = [`${folder}/`, 'jest.config.js', 'tools/jest/']
  const elsewhere = [...read].filter(file => file !== '' && !always.some(each => file.startsWith(each)))
  const inputs = elsewhere.length === 0 ? new Set() : await inputsOf(folder, target)
  const undeclared = elsewhere.filter(file => !inputs.has(file))
  if (undeclared.length > 0) {
    process.stderr.write(
      [`${folder} reads files that nx.json does not declare for ${target}:`, ...undeclared, ''].join('\n'),
    )
  }
  return failures.length + undeclared.length === 0 ? 0 : 1
})
