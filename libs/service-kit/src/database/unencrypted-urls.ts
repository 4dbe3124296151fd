import type { DatabaseConfig } from '../lifecycle/config.js'

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** The variables of production whose address is on another machine and names no `sslmode`: such connections are not encrypted. */
export const unencryptedUrls = (config: Omit<DatabaseConfig, 'REPLICAS'>): string[] =>
  (['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const).filter(name => {
    const address = config[name]
    if (config.NODE_ENV !== 'production' || address === undefined) return false
    const { hostname, searchParams } = new URL(address)
    return !THIS_MACHINE.includes(hostname) && !searchParams.has('sslmode')
  })
