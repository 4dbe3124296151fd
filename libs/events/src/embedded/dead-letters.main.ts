/**
 * The operator's commands for events that were not handled. Uses DATABASE_URL, which must log in as the database's owner.
 * `USAGE` says what each command does. Lists are printed as one JSON line each.
 */
import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'
import { EVENT_ID } from '../outbox/event.js'
import { listDeadLetters, requestReplay, requestReplayOfAll } from './dead-letters.js'
import { listWaitingEvents, makeDeadLetter } from './waiting-events.js'

const USAGE = `Usage: node libs/events/dist/embedded/dead-letters.main.js [command]
  (none)                   lists the newest dead letters
  replay <id>              asks the group to handle a dead letter again
  replay --all             the same for every dead letter that has not been replayed
  waiting                  lists the events that partitions wait for, since when, and why they fail
  bury <group> <event id>  makes an event that a partition waits for a dead letter, so that the partition goes on
`
const REPLAYS = 'List the dead letters to see the outcome: an attempt that fails shows its error.'

/** Runs a command. Resolves with the lines to print, or with null when there is no such event. */
type Command = (pool: pg.Pool) => Promise<readonly string[] | null>

function chosen([name, first, second, ...more]: readonly string[]): Command | null {
  if (more.length > 0) return null
  const words = [name, first, second].filter(word => word !== undefined).length
  if (words === 0) return async pool => (await listDeadLetters(pool)).map(letter => JSON.stringify(letter))
  if (name === 'waiting' && words === 1)
    return async pool => (await listWaitingEvents(pool)).map(event => JSON.stringify(event))
  if (name === 'replay' && first === '--all' && words === 2)
    return async pool => [`Replays requested: ${await requestReplayOfAll(pool)}. ${REPLAYS}`]
  if (name === 'replay' && /^\d{1,15}$/.test(first ?? '') && words === 2)
    return async pool => ((await requestReplay(pool, Number(first))) ? [`Replay requested. ${REPLAYS}`] : null)
  if (name === 'bury' && first !== undefined && second !== undefined && EVENT_ID.test(second))
    return async pool =>
      (await makeDeadLetter(pool, first, second))
        ? ['It becomes a dead letter, at the latest after its next attempt.']
        : null
  return null
}

const command = chosen(process.argv.slice(2))
if (command === null) {
  process.stderr.write(USAGE)
  process.exit(1)
}
const pool = new pg.Pool({ connectionString: loadConfig(databaseShape).DATABASE_URL, max: 1 })
try {
  const lines = await command(pool)
  if (lines !== null) for (const line of lines) process.stdout.write(`${line}\n`)
  else {
    process.stderr.write('There is no such event: it may have been handled meanwhile.\n')
    process.exitCode = 1
  }
} finally {
  await pool.end()
}
