import { type ActToKeep, keepAct } from '@holdfast/service-kit/audit/admin-acts'
import type pg from 'pg'

/** A command about one user, who ran it and why. */
export interface Command {
  readonly email: string
  /** The operating system's user. */
  readonly commandLineUser: string
  readonly reason: string
}

/** What a command has changed of a user. */
type Changed = Pick<ActToKeep, 'act' | 'before' | 'after'> & { readonly userId: string }

/** What `work` runs SQL with. */
export interface IdentityTx {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>
  /** Keeps the act that the command has done. */
  keep(changed: Changed): Promise<void>
}

/**
 * Runs a command in one dbTx in the schema of identity-svc.
 *
 * @param client has the rights of identity-svc
 */
export async function runCommand<T>(
  client: pg.Client,
  { commandLineUser, reason }: Command,
  work: (dbTx: IdentityTx) => Promise<T>,
): Promise<T> {
  const dbTx: IdentityTx = {
    query: (text, values) => client.query(text, values),
    keep: ({ userId, ...changed }) =>
      keepAct(dbTx, { actorId: null, commandLineUser, reason, subject: `user:${userId}`, ...changed }),
  }
  await client.query('BEGIN')
  try {
    await client.query('SET LOCAL search_path = identity')
    const result = await work(dbTx)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
