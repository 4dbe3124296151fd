import { newId } from '@holdfast/kernel/ids'
import type { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { sha256 } from './a-photo.js'
import { CaseDriver } from './case-driver.js'
import type { TwoServices } from './two-services.js'

/** The tables that hold a disputed deal, in the order of their references, and the column that names the deal or the dispute. */
const TABLES = [
  ['escrow.transaction', 'id'],
  ['escrow.acceptance', 'transaction_id'],
  ['escrow.timeline', 'transaction_id'],
  ['escrow.clock_entry', 'transaction_id'],
  ['escrow.payment', 'transaction_id'],
  ['escrow.parcel', 'transaction_id'],
  ['escrow.journal_entry', 'transaction_id'],
  ['escrow.posting', 'entry_id'],
  ['dispute.dispute', 'id'],
  ['dispute.dispute_clock', 'dispute_id'],
  ['dispute.history', 'dispute_id'],
  ['dispute.proposal', 'dispute_id'],
  ['dispute.evidence', 'dispute_id'],
  ['dispute.ruling', 'dispute_id'],
] as const

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

type Row = Readonly<Record<string, unknown>>

/**
 * Copies a disputed deal at both services, with users of its own: some milliseconds for each, where requests would take a hundred.
 * The hashes of evidence stay those of the original.
 */
export async function copyDispute(services: TwoServices, original: CaseDriver, count: number): Promise<CaseDriver[]> {
  const { database } = services
  const rows = await Promise.all(
    TABLES.map(async ([table, key]) => [table, await rowsOf(database, table, key, original)] as const),
  )
  const dealIds = await idsFrom(database, 'escrow.transaction', count)
  const disputeIds = await idsFrom(database, 'dispute.dispute', count)
  const copies = dealIds.map((dealId, n) => new Copy(original, dealId, disputeIds[n]!))
  for (const [table, found] of rows) {
    const copied = copies.flatMap(copy => found.map(row => copy.of(table, row)))
    if (!copied[0]) continue
    const columns = Object.keys(copied[0]).join(', ')
    await database.admin.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(copied)],
    )
  }
  return copies.map(copy => CaseDriver.of(services, copy.deal, copy.disputeId))
}

/** One copy: every id of the original has another one in it. */
class Copy {
  private readonly ids = new Map<string, string>()
  /** The hash of the copied terms, as PostgreSQL reads bytes. */
  private termsHash = ''

  constructor(
    private readonly original: CaseDriver,
    private readonly dealId: number,
    readonly disputeId: number,
  ) {}

  get deal() {
    const { deal } = this.original
    const [buyer, seller] = [deal.buyer, deal.seller].map(user => ({ ...user, id: this.idOf(user.id) }))
    return { ...deal, id: this.dealId, buyer: buyer!, seller: seller!, intent: this.intentOf(deal.intent) }
  }

  of(table: string, row: Row): Row {
    const { deal, id } = this.original
    const text = JSON.stringify(row)
      .replace(UUID, uuid => this.idOf(uuid))
      .replaceAll(`hold:${deal.id}"`, `hold:${this.dealId}"`)
      .replaceAll(deal.intent, this.intentOf(deal.intent))
      .replaceAll(`"disputeId": ${id}`, `"disputeId": ${this.disputeId}`)
      .replaceAll(`"disputeId":${id}`, `"disputeId":${this.disputeId}`)
    // The database computes `tracking_key` from the number.
    const { id: ownId, tracking_key: _, ...rest } = JSON.parse(text)
    const named = {
      ...rest,
      ...('transaction_id' in rest && { transaction_id: this.dealId }),
      ...('dispute_id' in rest && { dispute_id: this.disputeId }),
      ...('listing_id' in rest && { listing_id: this.dealId }),
    }
    if (table === 'escrow.transaction') return { ...named, ...this.termsOf(rest.terms), id: this.dealId }
    if (table === 'escrow.acceptance') return { ...named, terms_hash: this.termsHash }
    if (table === 'dispute.dispute') return { ...named, id: this.disputeId }
    // The database counts the other ids that are numbers.
    return typeof ownId === 'string' ? { ...named, id: ownId } : named
  }

  /** The terms of the copy, which name another listing. The hashed text has neither the status of the listing nor the hash. */
  private termsOf(original: Row): Row {
    const terms = { ...original, listingId: this.dealId }
    const { status: _, signedHash: __, ...agreed }: Row = terms
    const text = JSON.stringify(agreed)
    const signedHash = sha256(text)
    this.termsHash = `\\x${signedHash}`
    return { terms: { ...terms, signedHash }, terms_text: text, terms_hash: this.termsHash }
  }

  private idOf(uuid: string): string {
    const known = this.ids.get(uuid)
    if (known) return known
    const made = newId()
    this.ids.set(uuid, made)
    return made
  }

  private intentOf(intent: string): string {
    return `${intent}c${this.dealId}`
  }
}

async function rowsOf(database: ScratchDatabase, table: string, key: string, { id, deal }: CaseDriver): Promise<Row[]> {
  const where =
    key === 'entry_id' ? 'entry_id IN (SELECT id FROM escrow.journal_entry WHERE transaction_id = $1)' : `${key} = $1`
  const about = table.startsWith('escrow.') ? deal.id : id
  return (await database.admin.query(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${where}`, [about])).rows.map(
    ({ row }) => row,
  )
}

async function idsFrom(database: ScratchDatabase, table: string, count: number): Promise<number[]> {
  const sql = `SELECT nextval(pg_get_serial_sequence($1, 'id'))::int AS id FROM generate_series(1, $2)`
  return (await database.admin.query<{ id: number }>(sql, [table, count])).rows.map(({ id }) => id)
}
