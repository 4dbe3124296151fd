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
 * Writes a mail into the outbox. Called in the dbTx of what it is about, so that both happen or neither. It is sent within seconds after
 * the commit.
 */
export async function queueMail(dbTx: Queryable, { kind, recipient, data }: QueuedMail): Promise<void> {
  const values = [newId(Date.now()), kind, recipient, JSON.stringify(data)]
  await dbTx.query(`INSERT INTO ${MAIL} (id, kind, recipient, data) VALUES ($1, $2, $3, $4)`, values)
}
