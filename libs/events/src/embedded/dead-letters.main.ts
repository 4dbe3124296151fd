/**
 * `node libs/events/dist/embedded/dead-letters.main.js` prints the newest dead letters, one JSON line each. With `replay <id>` the
 * group that failed on an event is asked to handle it again. Uses DATABASE_URL.
 */
import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'
import { listDeadLetters, requestReplay } from './dead-letters.js'

const [command, id] = process.argv.slice(2)
if (command !== undefined && !(command === 'replay' && /^\d{1,15}$/.test(id ?? ''))) {
  process.stderr.write('Usage: node libs/events/dist/embedded/dead-letters.main.js [replay <id>]\n')
  process.exit(1)
}
const pool = new pg.Pool({ connectionString: loadConfig(databaseShape).DATABASE_URL, max: 1 })
try {
  if (command === undefined) {
    for (const letter of await listDeadLetters(pool)) process.stdout.write(`${JSON.stringify(letter)}\n`)
  } else if (await requestReplay(pool, Number(id))) {
    process.stdout.write('It is tried again. Look at it once more: an attempt that fails shows its error.\n')
  } else {
    process.stderr.write('There is no such dead letter, or it has been replayed.\n')
    process.exitCode = 1
  }
} finally {
  await pool.end()
}
