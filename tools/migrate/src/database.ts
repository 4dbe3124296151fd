import pg from 'pg'

/** PostgreSQL's error code for a database that does not exist. */
const NO_SUCH_DATABASE = '3D000'
/** Its codes for a database that exists already; the second one when two are made at the same moment. */
const DUPLICATE_DATABASE = ['42P04', '23505']
/** A database that every server has, to connect to before ours exists. */
const MAINTENANCE_DATABASE = 'postgres'

/** Creates the database that `adminUrl` names, unless it exists. Two runs at the same time are safe. */
export async function ensureDatabase(adminUrl: string): Promise<void> {
  if (await exists(adminUrl)) return
  const url = new URL(adminUrl)
  const database = decodeURIComponent(url.pathname.slice(1))
  url.pathname = `/${MAINTENANCE_DATABASE}`
  const client = new pg.Client({ connectionString: url.href, application_name: 'migrate' })
  await client.connect()
  try {
    await client.query(`create database ${pg.escapeIdentifier(database)}`)
  } catch (error) {
    if (!DUPLICATE_DATABASE.includes(String(codeOf(error)))) throw error
  } finally {
    await client.end()
  }
}

async function exists(adminUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'migrate' })
  try {
    await client.connect()
    return true
  } catch (error) {
    if (codeOf(error) === NO_SUCH_DATABASE) return false
    throw error
  } finally {
    await client.end()
  }
}

const codeOf = (error: unknown): unknown => (error instanceof pg.DatabaseError ? error.code : undefined)
