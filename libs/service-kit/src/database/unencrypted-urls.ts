import type { DatabaseConfig } from '../lifecycle/config.js'
import { LOOPBACK_NAMES } from '../lifecycle/loopback.js'

/** The variables of production whose address is on another machine and names no `sslmode`: such connections are not encrypted. */
export const unencryptedUrls = (config: Omit<DatabaseConfig, 'REPLICAS'>): string[] =>
  (['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const).filter(name => {
    const address = config[name]
    if (config.NODE_ENV !== 'production' || address === undefined) return false
    const { hostname, searchParams } = new URL(address)
    return !LOOPBACK_NAMES.includes(hostname) && !searchParams.has('sslmode')
  })
