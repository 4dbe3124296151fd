/**
 * A function that deletes the oldest rows of a table from which the service's role may not delete: SQL for a migration. It deletes in the
 * way of `deletionOf`. It replaces a function of the same name, whose grants stay. Applied migrations contain this SQL, so it must not change.
 *
 * @param name with its schema; it takes how many rows it may delete, and answers how many it has deleted
 * @param time the column of the time by which an index finds the rows
 */
export const forgetFunction = (name: string, table: string, time: string, days: number): string =>
  `CREATE OR REPLACE FUNCTION ${name}(at_most int) RETURNS int
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH deleted AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${time} < now() - interval '${days} days'
        ORDER BY ${time} LIMIT at_most FOR UPDATE SKIP LOCKED)) RETURNING 1
    ) SELECT count(*)::int FROM deleted $$`
