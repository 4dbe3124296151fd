/** The table of `Attempts`, in the service's own schema. */
export const ATTEMPTS = 'attempts'

/**
 * The table of `Attempts`: SQL for a service's migration, run with its schema in the search_path. Applied migrations
 * contain this SQL, so it must not change.
 */
export const ATTEMPTS_TABLE = [
  // The shape that rate-limiter-flexible expects: points used in a window, and its end in milliseconds since the epoch.
  `CREATE TABLE ${ATTEMPTS} (key text PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`,
  `CREATE INDEX attempts_by_expiry ON ${ATTEMPTS} (expire)`,
]
