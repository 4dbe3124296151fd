// Backups of PostgreSQL and their restore: docs/runbooks/restore.md. `npm run build` must have run.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Failure } from '../dev/failure.js'
import { phase, say } from '../dev/output.js'
import { session } from '../dev/session.js'
import { takeBaseBackup } from './base-backup.js'
import { restore } from './restore.js'
import { prune } from './store.js'

const USAGE = [
  'node tools/backup/main.js backup <store>',
  '  copies the files of the server of DATABASE_ADMIN_URL into the store',
  'node tools/backup/main.js restore <store> --to <time, or latest> --into <empty folder> [--postgres <program>]',
  '  makes the database as it was at a time; DATABASE_ADMIN_URL has the login and the name of the database',
  'node tools/backup/main.js prune <store> --keep <number>',
  '  deletes all base backups but the newest, and the log that these do not need',
]

const COMMANDS = {
  async backup({ store }) {
    const url = adminUrl()
    await phase('Taking a base backup', () => takeBaseBackup(store, url))
  },
  async restore({ store, to, into, postgres }, processes, undo) {
    if (!to || !into) throw wrong()
    await restore(processes, undo, { store, to, into: path.resolve(into), adminUrl: adminUrl(), postgres })
  },
  async prune({ store, keep }) {
    if (!/^[1-9]\d{0,3}$/.test(keep ?? '')) throw wrong()
    const { backups, logFiles } = prune(store, Number(keep))
    say(`  Deleted ${backups} base backups and ${logFiles} files of the log.`)
  },
}

function read(args) {
  const text = { type: /** @type {const} */ ('string') }
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { to: text, into: text, postgres: text, keep: text },
    })
    const [command, store, ...more] = positionals
    if (Object.hasOwn(COMMANDS, command ?? '') && store && more.length === 0)
      return { command, store: path.resolve(store), ...values }
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error
  }
  throw wrong()
}

function wrong() {
  return new Failure('This command is not understood. These are:', USAGE)
}

function adminUrl() {
  const url = process.env.DATABASE_ADMIN_URL
  if (!url || !URL.canParse(url)) throw new Failure('DATABASE_ADMIN_URL must be the login of the database’s owner.')
  return url
}

await session(async (processes, undo) => {
  const { command, ...options } = read(process.argv.slice(2))
  await COMMANDS[command](options, processes, undo)
  return 0
})
