import { userInfo } from 'node:os'
import { MAX_ADMIN_REASON_LENGTH } from '@holdfast/kernel/admin'
import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'
import type { Command } from './users/command-line.js'

/**
 * Runs an operator's command about one user. The command line names the user's e-mail address and the reason, which is kept in the
 * audit log with the operating system's user. Uses DATABASE_URL.
 *
 * @param name of the command's file
 * @param change changes the user, and returns the username, or null when there is no such user
 * @param done completes the sentence "ada …": 'is an admin now'
 */
export async function runForUser(
  name: string,
  change: (client: pg.Client, command: Command) => Promise<string | null>,
  done: string,
): Promise<void> {
  const [email = '', reason = '', ...more] = process.argv.slice(2).map(each => each.trim())
  if (!email || !reason || more.length > 0 || reason.length > MAX_ADMIN_REASON_LENGTH) {
    process.stderr.write(
      `Usage: node apps/identity-svc/dist/${name}.js <email> "<reason>"\nThe audit log keeps the reason: at most ${MAX_ADMIN_REASON_LENGTH} characters.\n`,
    )
    process.exit(1)
  }
  const client = new pg.Client(loadConfig(databaseShape).DATABASE_URL)
  await client.connect()
  try {
    const username = await change(client, { email, reason, commandLineUser: systemUser() })
    if (username === null) {
      process.stderr.write('No user has this e-mail address.\n')
      process.exitCode = 1
    } else {
      process.stdout.write(`${username} ${done}.\n`)
    }
  } finally {
    await client.end()
  }
}

/** The operating system's user. A container may run under an id without a name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
