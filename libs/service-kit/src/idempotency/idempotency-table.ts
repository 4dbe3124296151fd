import type { Columns } from '../database/batch-statement.js'
import { forgetFunction } from '../database/forget-function.js'

/** How long a key and its answer are kept. A client that repeats a request does so within minutes. */
export const IDEMPOTENCY_DAYS = 7

export const IDEMPOTENCY_TABLE = 'idempotency_key'

/** The columns of a row, without the time at which it was written. */
export const IDEMPOTENCY_COLUMNS = {
  user_id: 'uuid',
  route: 'text',
  key: 'text',
  input_hash: 'bytea',
  answer: 'jsonb',
} as const satisfies Columns

/**
 * The table of a service's idempotency keys and the function that deletes the old ones: SQL for a migration. The service's
 * role may only read and add rows (`appendOnly` of its plan names the table) and run the function, so it can neither
 * change an answer nor delete a key that may still be repeated.
 *
 * @param schema the service's schema
 */
export function idempotencyTable(schema: string): string[] {
  const table = `${schema}.${IDEMPOTENCY_TABLE}`
  return [
    `CREATE TABLE ${table} (
      user_id uuid NOT NULL,
      route text NOT NULL,
      key text NOT NULL,
      input_hash bytea NOT NULL,
      answer jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, route, key)
    )`,
    // `IDEMPOTENCY_BY_AGE` replaces this index.
    `CREATE INDEX ${IDEMPOTENCY_TABLE}_created_at ON ${table} USING brin (created_at) WITH (pages_per_range = 16)`,
    // `forgetIdempotencyKeys` replaces this function.
    `CREATE FUNCTION ${schema}.forget_idempotency_keys(at_most int) RETURNS int
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
      WITH deleted AS (
        DELETE FROM ${table} WHERE (user_id, route, key) IN (
          SELECT user_id, route, key FROM ${table}
           WHERE created_at < now() - interval '${IDEMPOTENCY_DAYS} days' LIMIT at_most FOR UPDATE SKIP LOCKED)
        RETURNING 1
      ) SELECT count(*)::int FROM deleted $$`,
    `REVOKE ALL ON FUNCTION ${schema}.forget_idempotency_keys(int) FROM PUBLIC`,
  ]
}

/**
 * Finds the old keys, for `OnlineIndexes`: in place of a block range index, which never forgets the times of rows that were deleted. Once
 * new rows had taken their space, each cleanup read the whole table. Applied migrations contain it, so it must not change.
 */
export const IDEMPOTENCY_BY_AGE = { [`${IDEMPOTENCY_TABLE}_created_at`]: `${IDEMPOTENCY_TABLE} (created_at)` }

/**
 * Makes the function delete the old keys by their index, also when PostgreSQL expects so many that it would read the whole table: SQL for a
 * migration. Applied migrations contain it, so it must not change.
 */
export const forgetIdempotencyKeys = (schema: string): string =>
  forgetFunction(`${schema}.forget_idempotency_keys`, `${schema}.${IDEMPOTENCY_TABLE}`, 'created_at', IDEMPOTENCY_DAYS)

/** The grant that lets a service delete its old keys: for `grants` of its plan. */
export const idempotencyGrant = (schema: string, role: string): string =>
  `GRANT EXECUTE ON FUNCTION ${schema}.forget_idempotency_keys(int) TO ${role}`
