// `integration.js <kinds of tests> -- [patterns]`: tests on a real PostgreSQL that is removed afterwards, as
// `npm run test:integration -- [patterns]` and `npm run test:engines -- [patterns]` run them. The kind `distributed` runs on Kafka, Redis and S3.
import { build } from './build.js'
import { PACKED } from './built.js'
import { runOnEngines } from './distributed-tests.js'
import { readWords, runJest } from './jest-run.js'
import { phase, say } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'

const { kinds, patterns } = readWords(process.argv.slice(2))

await session(async (processes, undo) => {
  // Some tests start services as processes of their own, from their packed build.
  await phase('Building the services', note => build(processes, note, [PACKED]))
  const database = await phase('Starting PostgreSQL', () => startScratchPostgres(processes))
  undo.push(database.discard)
  const options = { patterns, env: { DATABASE_URL: database.url } }
  const { passed, failures } = await (kinds.includes('distributed')
    ? runOnEngines(processes, undo, options)
    : runJest(processes, kinds, options))
  say(`${passed} passed, ${failures.length} failed`)
  return failures.length === 0 ? 0 : 1
})
