// `integration.js <projects of Jest> -- [patterns]`: tests on a real PostgreSQL that is removed afterwards, as
// `npm run test:integration -- [patterns]` and `npm run test:engines -- [patterns]` run them. The project `distributed` runs on Kafka, Redis and S3.
import { build } from './build.js'
import { PACKED } from './built.js'
import { runOnEngines } from './distributed-tests.js'
import { runJest } from './jest-run.js'
import { phase, say } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'

const words = process.argv.slice(2)
const projects = words.slice(0, words.indexOf('--'))
const patterns = words.slice(projects.length + 1).filter(word => word !== '--')

await session(async (processes, undo) => {
  // Some tests start services as processes of their own, from their packed build.
  await phase('Building the services', note => build(processes, note, [PACKED]))
  const database = await phase('Starting PostgreSQL', () => startScratchPostgres(processes))
  undo.push(database.discard)
  const options = { patterns, env: { DATABASE_URL: database.url } }
  const { passed, failures } = await (projects.includes('distributed')
    ? runOnEngines(processes, undo, options)
    : runJest(processes, projects, options))
  say(`${passed} passed, ${failures.length} failed`)
  return failures.length === 0 ? 0 : 1
})
