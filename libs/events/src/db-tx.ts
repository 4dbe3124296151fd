import type pg from 'pg'

/**
 * Runs `work` in a transaction on a connection of its own. A failure closes the connection, which rolls back whatever
 * the server still knew of it.
 */
export async function inDbTx<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener a terminated backend would end the process.
  const onError = (error: Error): void => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}
