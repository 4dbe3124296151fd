import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sessionSettings } from './connection-settings.js'

/**
 * The passwords by role. `<role>_2` is a second login of a role: its sessions act as that role, so that a password can be replaced while
 * services run (docs/postgresql.md).
 */
export type Passwords = Readonly<Record<string, string>>

const ATTEMPTS = 20
const PAUSE_MS = 100

const name = pg.escapeIdentifier
const secondOf = (role: string): string => `${role}_2`

/** Makes the roles that are missing, gives each its password, and takes from all others what PostgreSQL grants to everybody. */
export async function prepareRoles(admin: pg.Client, passwords: Passwords): Promise<void> {
  for (const [role, password] of Object.entries(passwords)) {
    const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [role])
    const verb = rowCount === 0 ? 'create' : 'alter'
    await changeRole(admin, `${verb} role ${name(role)} login password ${pg.escapeLiteral(password)}`)
  }
  const { rows } = await admin.query<{ database: string }>('select current_database() as database')
  const database = name(rows[0]!.database)
  await admin.query('revoke create on schema public from public')
  await admin.query(`revoke all on database ${database} from public`)
  for (const role of Object.keys(passwords)) await admin.query(`grant connect on database ${database} to ${name(role)}`)
  for (const role of Object.keys(passwords)) if (passwords[secondOf(role)]) await actAs(admin, secondOf(role), role)
}

/**
 * Gives a role and its second login the settings that hold for each connection of a service. Connections through a pooler cannot bring
 * settings of their own. Only new connections have them.
 */
export async function giveSettings(
  admin: pg.Client,
  role: string,
  schema: string,
  passwords: Passwords,
): Promise<void> {
  for (const login of [role, secondOf(role)].filter(login => passwords[login]))
    for (const [setting, value] of Object.entries(sessionSettings(schema)))
      await changeRole(admin, `alter role ${name(login)} set ${setting} = ${pg.escapeLiteral(value)}`)
}

/** Policies of the event log ask for the name of the role, so its rights alone would not be enough. */
async function actAs(admin: pg.Client, login: string, role: string): Promise<void> {
  await changeRole(admin, `grant ${name(role)} to ${name(login)}`)
  await changeRole(admin, `alter role ${name(login)} set role = ${pg.escapeLiteral(role)}`)
}

/**
 * Roles belong to the whole server, and the lock of the migrations to one database. When two databases are migrated at once, PostgreSQL
 * refuses one of two changes of a role, and says so with an internal error.
 */
async function changeRole(admin: pg.Client, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(statement)
      return
    } catch (error) {
      const raced = error instanceof pg.DatabaseError && error.message === 'tuple concurrently updated'
      if (!raced || attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS * Math.random())
    }
  }
}
