import pg from 'pg'

/** A database for one spec file, on the server that DATABASE_URL names, with roles that no other file uses. */
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
  const server = process.env.DATABASE_URL
  if (!server) throw new Error('DATABASE_URL must name a PostgreSQL whose superuser may create databases')
  const suffix = `${process.pid}_${Date.now() % 1_000_000}`
  const name = `service_kit_${suffix}`
  const roles = { listing: `listing_${suffix}`, escrow: `escrow_${suffix}`, gateway: `gateway_${suffix}` }
  const passwords = Object.fromEntries(Object.values(roles).map(role => [role, `it's "${role}"`]))
  await query(server, `create database ${name}`)
  const adminUrl = at(server, url => {
    url.pathname = `/${name}`
  })
  const urlOf = (role: string) =>
    at(adminUrl, url => {
      url.username = role
      url.password = encodeURIComponent(passwords[role] ?? '')
    })
  const drop = async () => {
    await query(server, `drop database ${name} with (force)`)
    for (const role of Object.values(roles)) await query(server, `drop role if exists ${role}`)
  }
  return { adminUrl, roles, passwords, urlOf, query, drop }
}

function at(base: string, change: (url: URL) => void): string {
  const url = new URL(base)
  change(url)
  return url.href
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
