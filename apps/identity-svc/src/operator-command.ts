import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'

/**
 * Runs an operator's command about one user, who is named by e-mail address on the command line. Uses DATABASE_URL.
 *
 * @param name of the command's file
 * @param change changes the user, and returns the username, or null when there is no such user
 * @param done completes the sentence "ada …": 'is an admin now'
 */
export async function runForUser(
  name: string,
  change: (client: pg.Client, email: string) => Promise<string | null>,
  done: string,
): Promise<void> {
  const email = process.argv[2]
  if (!email) {
    process.stderr.write(`Usage: node apps/identity-svc/dist/${name}.js <email>\n`)
    process.exit(1)
  }
  const client = new pg.Client(loadConfig(databaseShape).DATABASE_URL)
  await client.connect()
  try {
    const username = await change(client, email)
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
