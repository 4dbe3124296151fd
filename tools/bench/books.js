/**
 * Compares the journal with the answers that a load got. Each success must have its journal entry. There may be no more entries
 * than successes and `unknown` requests, which got no success and may have been carried out. Every webhook must have funded its
 * deal: a payment that a deal does not take gets the same answer, so the load cannot notice it.
 *
 * @param {import('pg').Pool} database
 * @param {{ toFund: number, toAccept: number, count: number }} deals the deals of this load
 * @param {{ funded: number, accepted: number, unknown: number }} load
 */
export async function checkBooks(database, deals, { funded, accepted, unknown }) {
  const { rows: strays } = await database.query('SELECT count(*)::int AS count FROM escrow.payment WHERE stray')
  if (strays[0].count > 0) throw new Error(`${strays[0].count} payments of the load funded no deal`)
  const charges = await entriesOf(database, 'charge', deals.toFund, deals.count)
  const releases = await entriesOf(database, 'release', deals.toAccept, deals.count)
  for (const [what, success, entries] of [
    ['payments', funded, charges],
    ['acceptances', accepted, releases],
  ]) {
    if (entries < success || entries > success + unknown)
      throw new Error(`${success} ${what} succeeded (${unknown} outcomes are unknown), and the books have ${entries}`)
  }
}

async function entriesOf(database, kind, first, count) {
  const { rows } = await database.query(
    `SELECT count(*)::int AS count FROM escrow.journal_entry
     WHERE kind = $1 AND transaction_id >= $2 AND transaction_id < $2 + $3`,
    [kind, first, count],
  )
  return rows[0].count
}
