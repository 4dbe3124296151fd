import { TestDatabase } from '@holdfast/test-database/test-database'
import pg from 'pg'

/** A database for one spec file, with roles that no other file uses. `applyMigrations` makes the roles. */
export interface ScratchDatabase {
  readonly adminUrl: string
  readonly roles: { readonly listing: string; readonly escrow: string; readonly gateway: string }
  readonly passwords: Record<string, string>
  /** The login of one of the roles. */
  urlOf(role: string): string
  query(url: string, sql: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const database = await TestDatabase.create(async () => undefined)
  const { name } = database
  const roles = { listing: `listing_${name}`, escrow: `escrow_${name}`, gateway: `gateway_${name}` }
  const passwords = Object.fromEntries(Object.values(roles).map(role => [role, `it's "${role}"`]))
  return {
    adminUrl: database.url(),
    roles,
    passwords,
    urlOf: role => database.url({ role, password: passwords[role] ?? '' }),
    query,
    drop: () => database.drop(...Object.values(roles)),
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
