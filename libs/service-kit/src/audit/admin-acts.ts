import type { KeptAct } from '@holdfast/contracts/admin'
import type { AdminAct } from '@holdfast/kernel/admin'
import { newId } from '@holdfast/kernel/ids'
import type { DataSource } from 'typeorm'
import type { Queryable } from '../database/queryable.js'
import { ADMIN_ACT_TABLE } from './admin-act-table.js'

/** What an admin did. `before` and `after` are facts about the subject that the act changed. */
export interface ActToKeep {
  /** The admin; null for an act of the command line. */
  readonly actorId: string | null
  /** The operating system's user who ran the command; left out for an act of an admin. */
  readonly commandLineUser?: string
  readonly act: AdminAct
  /** The kind of the thing and its id, such as `refund:{id}`. */
  readonly subject: string
  /** A second thing that it was done to. The act is found by both. */
  readonly otherSubject?: string | undefined
  readonly before: Facts | null
  readonly after: Facts | null
  readonly reason: string
}
type Facts = Readonly<Record<string, unknown>>

/** Keeps an act in the dbTx that does it, so that none is done without being kept. */
export async function keepAct(
  dbTx: Queryable,
  { actorId, commandLineUser, act, subject, otherSubject, before, after, reason }: ActToKeep,
) {
  const facts = [toJson(before), toJson(after), reason, otherSubject ?? null]
  const values = [newId(), actorId, act, subject, ...facts, commandLineUser ?? null]
  await dbTx.query(KEEP, values)
}

/** A page of acts: the newest first, of one actor, kind or subject when these are given. */
export interface ActsPage {
  readonly limit: number
  /** The last id of the page before. */
  readonly before?: string | undefined
  readonly actor?: string | undefined
  readonly act?: AdminAct | undefined
  readonly subject?: string | undefined
}

/** A page of the acts that this service keeps. */
export async function listActs(dataSource: DataSource, page: ActsPage): Promise<KeptAct[]> {
  const { limit, before, actor, act, subject } = page
  const rows: Row[] = await dataSource.query(LIST, [limit, before ?? null, actor ?? null, act ?? null, subject ?? null])
  return rows.map(({ actor_id: actorId, command_line_user: commandLineUser, at, ...row }) => ({
    ...row,
    actorId,
    commandLineUser,
    at: at.toISOString(),
  }))
}

type Row = Omit<KeptAct, 'actorId' | 'commandLineUser' | 'at'> & {
  readonly actor_id: string | null
  readonly command_line_user: string | null
  readonly at: Date
}

const toJson = (facts: Facts | null) => facts && JSON.stringify(facts)

// Ids begin with the time at which they are made, so a page is found by the id alone.
const KEEP = `INSERT INTO ${ADMIN_ACT_TABLE} (id, at, actor_id, act, subject, before, after, reason, other_subject,
    command_line_user)
  VALUES ($1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9)`
const LIST = `SELECT id, at, actor_id, command_line_user, act, subject, before, after, reason FROM ${ADMIN_ACT_TABLE}
  WHERE ($2::uuid IS NULL OR id < $2) AND ($3::uuid IS NULL OR actor_id = $3) AND ($4::text IS NULL OR act = $4)
    AND ($5::text IS NULL OR subject = $5 OR other_subject = $5)
  ORDER BY id DESC LIMIT $1`
