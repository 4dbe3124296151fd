import { MAX_PERSONAL_DATA_PAGE } from '@holdfast/contracts/personal-data'
import { DomainError } from '@holdfast/kernel/errors'
import type { Queryable } from '../database/queryable.js'

/**
 * SQL that reads a page of one part of what a service keeps about a user. $1 is the user, $2 the cursor of the last item before the page
 * or null, and $3 how many items. Each row has `cursor`, a text, and `item`, a JSON object; the rows are in the order of the cursor.
 */
export type PartStatement = string

/** Which page of which part of whose data. */
export interface PartPage {
  readonly part: string
  readonly userId: string
  readonly after: string | null
}

/** A page as the export has it. */
export interface PersonalDataPage<T = Record<string, unknown>> {
  readonly items: T[]
  /** Where the next page begins; null after the last one. */
  readonly next: string | null
}

interface Row<T> {
  readonly cursor: string
  readonly item: T
}

/**
 * Reads a page of a part.
 *
 * @throws DomainError `NOT_FOUND` for a part that the service does not have
 */
export async function readPart(
  database: Queryable,
  statements: Readonly<Record<string, PartStatement>>,
  { part, userId, after }: PartPage,
): Promise<PersonalDataPage> {
  const statement = Object.hasOwn(statements, part) ? statements[part] : undefined
  if (statement === undefined) throw new DomainError('NOT_FOUND')
  return readPage(database, statement, { userId, after })
}

/** Reads a page with one statement. */
export async function readPage<T = Record<string, unknown>>(
  database: Queryable,
  statement: PartStatement,
  { userId, after }: Pick<PartPage, 'userId' | 'after'>,
): Promise<PersonalDataPage<T>> {
  const rows = (await database.query(statement, [userId, after, MAX_PERSONAL_DATA_PAGE])) as Row<T>[]
  const next = rows.length < MAX_PERSONAL_DATA_PAGE ? null : rows.at(-1)!.cursor
  return { items: rows.map(({ item }) => item), next }
}
