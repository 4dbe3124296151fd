import pg from 'pg'

/** PostgreSQL's code for "there is no such database". */
const NO_SUCH_DATABASE = '3D000'
/** Its codes for "there is one already"; the second when the other was made at the very same moment. */
const DUPLICATE_DATABASE = ['42P04', '23505']
/** The database every server has, to speak to it before ours exists. */
const MAINTENANCE_DATABASE = 'postgres'

/** Makes the database `adminUrl` names unless it exists. Two runs at once are harmless. */
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
