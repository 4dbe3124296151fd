import assert from 'node:assert/strict'
import { moves } from '../support/deal.js'
import { eventually } from '../support/eventually.js'

/** The posting of the payment. */
export const CHARGE = 'provider_clearing → hold 127.40'

export const toCase = (page, deal, section = '') => page.goto(`/disputes/${deal.disputeId}${section}`)

/** Waits until the ledger of both parties has exactly these postings, the charge first. */
export async function bothLedgersShow(deal, postings) {
  for (const person of [deal.buyer, deal.seller]) {
    const posted = async () => moves(await deal.ledgerFor(person))
    await eventually('everything is posted', async () => (await posted()).length >= postings.length)
    const [charge, ...others] = await posted()
    assert.deepEqual([charge, ...others.toSorted()], [postings[0], ...postings.slice(1).toSorted()])
  }
}
