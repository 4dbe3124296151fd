/**
 * `node apps/escrow-svc/dist/check-books.js`: reads the whole ledger and says whether it is right, such as after a restore. Changes
 * nothing. Uses DATABASE_URL, which must log in as the database's owner. Ends with status 1 when something is wrong.
 */
import { databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import pg from 'pg'
import { checkBooks } from './ledger/check-books.js'

const client = new pg.Client({
  connectionString: loadConfig(databaseShape).DATABASE_URL,
  application_name: 'check-books',
})
await client.connect()
try {
  const { summary, faults } = await checkBooks(client)
  for (const line of summary) process.stdout.write(`${line}\n`)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  await client.end()
}
