/** The table of mails to send, in the service's own schema. */
export const MAIL = 'mail'

/**
 * The outbox of a service's mails: SQL for a migration, run with the schema in the search_path. Applied migrations contain this SQL, so it
 * must not change. A mail that waits has a time in `due_at`; one that has ended has a time in `ended_at` and its outcome.
 */
export const MAIL_TABLE = [
  `CREATE TABLE ${MAIL} (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind ~ '^[a-z][a-z-]*$'),
    recipient text NOT NULL CHECK (recipient LIKE '%@%'),
    data jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    ended_at timestamptz,
    outcome text CHECK (outcome IN ('sent', 'refused', 'given_up', 'not_needed')),
    CHECK ((due_at IS NULL) = (ended_at IS NOT NULL)),
    CHECK ((ended_at IS NULL) = (outcome IS NULL))
  )`,
  `CREATE INDEX mail_due ON ${MAIL} (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX mail_ended ON ${MAIL} (ended_at) WHERE ended_at IS NOT NULL`,
]

/** A mailbox as an index orders it: mailboxes whose addresses are alike are far from each other. */
export const MAILBOX = 'hashtextextended(lower(recipient), 0)'

/** Finds the mails to a mailbox that wait, for `OnlineIndexes`. Applied migrations contain it, so it must not change. */
export const MAILS_BY_MAILBOX = {
  mail_due_by_mailbox: `${MAIL} (${MAILBOX}, due_at) WHERE due_at IS NOT NULL`,
}
