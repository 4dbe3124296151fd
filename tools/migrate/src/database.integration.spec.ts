import pg from 'pg'
import { ensureDatabase } from './database.js'

const admin = new pg.Client({ connectionString: process.env.DATABASE_URL })
const name = `migrate-spec "${process.pid}"`
const url = new URL(process.env.DATABASE_URL!)
url.pathname = `/${encodeURIComponent(name)}`

beforeAll(() => admin.connect())
afterAll(async () => {
  await admin.query(`drop database if exists ${pg.escapeIdentifier(name)}`)
  await admin.end()
})

describe('ensureDatabase', () => {
  it('creates a missing database once, also when two runs ask at the same moment', async () => {
    await Promise.all([ensureDatabase(url.href), ensureDatabase(url.href)])
    await ensureDatabase(url.href)
    const { rows } = await admin.query('select count(*)::int as count from pg_database where datname = $1', [name])
    expect(rows).toEqual([{ count: 1 }])
  })

  it('throws every other error on, such as a wrong password', async () => {
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(ensureDatabase(wrong.href)).rejects.toThrow(/password authentication failed/)
  })
})
