// `npm run test:engines -- [patterns]`: tests on real engines (Kafka, Redis, S3), which each test starts, stops and kills by itself.
import { phase, say } from './output.js'
import { startScratchPostgres } from './scratch-postgres.js'
import { session } from './session.js'
import { runVitest } from './vitest-run.js'

await session(async (processes, undo) => {
  const database = await phase('Starting PostgreSQL', () => startScratchPostgres(processes))
  undo.push(database.discard)
  const patterns = process.argv.slice(2)
  const { passed, failed } = await runVitest(processes, ['engines'], {
    patterns,
    env: { DATABASE_URL: database.url },
    workers: 1,
  })
  say(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
