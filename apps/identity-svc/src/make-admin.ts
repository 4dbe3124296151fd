/** `node apps/identity-svc/dist/make-admin.js <email>`: makes a user an admin. Uses DATABASE_URL. */
import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'
import { makeAdmin } from './users/make-admin.js'

const email = process.argv[2]
if (!email) {
  process.stderr.write('Usage: node apps/identity-svc/dist/make-admin.js <email>\n')
  process.exit(1)
}
const client = new pg.Client(loadConfig(databaseShape).DATABASE_URL)
await client.connect()
try {
  const username = await makeAdmin(client, email)
  if (username === null) {
    process.stderr.write('No user has this e-mail address.\n')
    process.exitCode = 1
  } else {
    process.stdout.write(`${username} is an admin now.\n`)
  }
} finally {
  await client.end()
}
