import type pg from 'pg'

/**
 * Runs `work` in a dbTx on a connection of its own. A failure closes the connection, which rolls the dbTx back.
 */
export async function inDbTx<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}
