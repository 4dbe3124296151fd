import pg from 'pg'
import { ownerUrl } from './environment.js'
import { loadSecrets } from './secrets.js'

/**
 * Connections to the database of a running product as the owner of the server, for measurements and tests. PostgreSQL may be killed or may end
 * before the pool: an idle connection that breaks is left out, and a query that fails rejects.
 * @param {{ dataDir: string, ports: { postgres: number } }} product
 * @param {number} max how many connections there are at most
 */
export function ownerPool({ dataDir, ports }, max) {
  const pool = new pg.Pool({ connectionString: ownerUrl({ secrets: loadSecrets(dataDir), ports }), max })
  // Without a listener, the end of an idle connection would end this process.
  pool.on('error', () => {})
  return pool
}
