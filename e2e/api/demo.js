import assert from 'node:assert/strict'
import { DEMO_WITHIN_MS, findDemoPerson, findMediator } from '../support/demo.js'
import { DAY_SECONDS } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'

const TRADERS = ['maya', 'theo', 'ruth', 'jonas']
/** Where the main job leads a deal, and where one can rest. */
const STATES = ['pending', 'paid', 'in_progress', 'shipped', 'inspection', 'completed', 'cancelled', 'disputed']

export const demo = [
  journey(
    'the demo is filled in: people, things to buy with pictures, deals in every state with their talk, and books that agree',
    async () => {
      const admin = await findMediator()
      const traders = await Promise.all(TRADERS.map(findDemoPerson))
      const deals = await everyState(traders)
      const talked = await Promise.all(
        deals.map(({ id, reader }) => reader.expect(200, 'GET', `/api/transactions/${id}/messages`)),
      )
      assert.ok(talked.flat().filter(message => !message.isSystem).length >= 6, 'people talk')
      const listings = await new Person().expect(200, 'GET', '/api/listings')
      const pictured = listings.filter(listing => listing.images.length >= 2)
      assert.ok(pictured.length >= 10, `${pictured.length} listings have pictures`)
      await booksAgree(admin)
      for (const { id, reader } of deals) await ledgerAgrees(id, reader)
      await traders[0].refused(403, 'FORBIDDEN', 'GET', '/api/admin/ledger/trial-balance')
    },
    { deadlineMs: DEMO_WITHIN_MS + 30_000 },
  ),
]

/**
 * The demo's deals, once each state has been seen: the clocks may move the first on while the last is made. In a demo
 * that is older than a day they have, and a state that a deal was in must do.
 */
async function everyState(traders) {
  const dayAgo = Date.now() - DAY_SECONDS * 1000
  const isOld = (await dealsOf(traders)).some(({ createdAt }) => Date.parse(createdAt) < dayAgo)
  const seen = new Set()
  return eventually(
    'there has been a deal in every state',
    async () => {
      const deals = await dealsOf(traders)
      for (const { status, reached } of deals) for (const each of isOld ? reached : [{ status }]) seen.add(each.status)
      return STATES.every(status => seen.has(status)) ? deals : null
    },
    { withinMs: DEMO_WITHIN_MS, everyMs: 500 },
  )
}

/** Each deal once, with somebody who may read it. */
async function dealsOf(traders) {
  const lists = await Promise.all(
    traders.map(async reader => {
      const list = await reader.expect(200, 'GET', '/api/transactions')
      return list.map(deal => ({ ...deal, reader }))
    }),
  )
  return [...new Map(lists.flat().map(deal => [deal.id, deal])).values()]
}

/** The whole product at one moment: what was posted to the holds is what the deals say that they hold. */
async function booksAgree(admin) {
  const [usd] = await admin.expect(200, 'GET', '/api/admin/ledger/trial-balance')
  assert.equal(usd.currency, 'USD')
  const held = usd.accounts.find(account => account.kind === 'hold')
  assert.ok(cents(held.balance) > 0n, 'the demo holds money')
  assert.equal(held.balance, usd.heldByDeals)
}

/** One deal: what its postings left in the hold is what it says that it holds. */
const ledgerAgrees = (id, reader) =>
  // A clock that moves the deal between the two questions makes them differ once, not again.
  eventually(`deal ${id} holds what was posted`, async () => {
    const { money } = await reader.expect(200, 'GET', `/api/transactions/${id}`)
    const ledger = await reader.expect(200, 'GET', `/api/transactions/${id}/ledger`)
    const into = side => ledger.filter(posting => posting[side].kind === 'hold')
    const sum = postings => postings.reduce((total, { amount }) => total + cents(amount), 0n)
    return sum(into('credit')) - sum(into('debit')) === cents(money.held)
  })

const cents = amount => BigInt(amount.replace('.', ''))
