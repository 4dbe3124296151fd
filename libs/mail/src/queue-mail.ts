import { newId } from '@holdfast/kernel/ids'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { MAIL } from './mail-table.js'

/** A mail as it waits in the outbox. Its words are made when it is sent, so a token in them never rests in the database. */
export interface QueuedMail {
  /** Says who makes its words: `Mailer.add`. */
  readonly kind: string
  /** The e-mail address. */
  readonly recipient: string
  /** What the words are made of, such as a user's id. No token, no password. */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Writes mails into the outbox. Called in the dbTx of what they are about, so that all of it happens or nothing. They are sent within
 * seconds after the commit.
 */
export async function queueMail(dbTx: Queryable, ...mails: readonly QueuedMail[]): Promise<void> {
  if (mails.length === 0) return
  const columns = [
    mails.map(() => newId(Date.now())),
    mails.map(({ kind }) => kind),
    mails.map(({ recipient }) => recipient),
    mails.map(({ data }) => JSON.stringify(data)),
  ]
  await dbTx.query(
    `INSERT INTO ${MAIL} (id, kind, recipient, data) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[])`,
    columns,
  )
}
