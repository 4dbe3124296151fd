/** The table of the acts of admins, in a service's own schema. */
export const ADMIN_ACT_TABLE = 'admin_act'

/**
 * Lets the table keep acts of the command line, too: SQL for a migration of a schema that has the `adminActTable`. Applied
 * migrations contain this SQL, so it must not change.
 */
export const commandLineActs = (schema: string): string[] => [
  `ALTER TABLE ${schema}.${ADMIN_ACT_TABLE} ALTER COLUMN actor_id DROP NOT NULL`,
  // The operating system's user who ran a command. An act has either an admin or such a user.
  `ALTER TABLE ${schema}.${ADMIN_ACT_TABLE} ADD COLUMN command_line_user text,
    ADD CHECK ((actor_id IS NULL) <> (command_line_user IS NULL))`,
]

/**
 * The table of a service's acts of admins: SQL for a migration. `appendOnly` of the service's plan names the table, so that the
 * service can neither change nor delete an act. Applied migrations contain this SQL, so it must not change.
 *
 * @param schema the service's schema
 */
export const adminActTable = (schema: string): string[] => [
  `CREATE TABLE ${schema}.${ADMIN_ACT_TABLE} (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL,
    actor_id uuid NOT NULL,
    act text NOT NULL,
    subject text NOT NULL,
    before jsonb,
    after jsonb,
    reason text NOT NULL CHECK (reason <> '')
  )`,
]
