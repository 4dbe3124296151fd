/**
 * Keeps the time before the first heartbeat of a new installation from being an outage, however long ago its migrations ran: SQL for a
 * service's migration. In an installation that has clocks already, that time counts as an outage: nothing in the database says whether
 * an older release was there for its users, so they get it back.
 *
 * Applied migrations contain this SQL, so it must not change.
 *
 * @param schema the service's schema, which has the `heartbeatTables`
 * @param clocks a table of that schema that has a row if a clock has ever run
 */
export const firstHeartbeat = (schema: string, clocks: string): string[] => [
  // What beat_at was before the first heartbeat. While beat_at still has this value, no replica has ever served.
  `ALTER TABLE ${schema}.heartbeat ADD COLUMN made_at timestamptz`,
  `UPDATE ${schema}.heartbeat SET made_at = beat_at WHERE NOT EXISTS (SELECT FROM ${schema}.${clocks})`,
]

/**
 * The tables of `Heartbeat`: SQL for a service's migration. Applied migrations contain this SQL, so it must not change.
 *
 * @param schema the service's schema
 */
export const heartbeatTables = (schema: string): string[] => [
  `CREATE TABLE ${schema}.heartbeat (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      beat_at timestamptz NOT NULL,
      -- A clock is ended only if it is due by this time, too. Each heartbeat moves it ahead, except during an outage and
      -- until every clock is extended by that outage.
      clocks_end_until timestamptz NOT NULL,
      outage_began_at timestamptz,
      outage_ended_at timestamptz CHECK (outage_ended_at > outage_began_at),
      CHECK ((outage_began_at IS NULL) = (outage_ended_at IS NULL))
    ) WITH (fillfactor = 50)`,
  `INSERT INTO ${schema}.heartbeat (beat_at, clocks_end_until)
        VALUES (date_trunc('milliseconds', now()), now() + interval '1 minute')`,
  `CREATE TABLE ${schema}.outage (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      began_at timestamptz NOT NULL,
      ended_at timestamptz NOT NULL CHECK (ended_at > began_at),
      -- When every clock that ran during the outage had been extended.
      clocks_extended_at timestamptz NOT NULL
    )`,
]
