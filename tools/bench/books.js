/**
 * Checks that the books have what a load was told it did. Every webhook must have funded its deal: the provider gets the same
 * answer for a payment that a deal does not take, so the load cannot tell. Each success must have its journal entry, and there
 * are no more entries than requests that may have been carried out: `unknown` counts those without a success.
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
