import assert from 'node:assert/strict'
import { DEMO_WITHIN_MS, findDemoPerson, findMediator } from '../support/demo.js'
import { DAY_SECONDS } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'

const TRADERS = ['maya', 'theo', 'ruth', 'jonas']
/** The statuses in which a deal can stay. */
const STATUSES = ['pending', 'paid', 'in_progress', 'shipped', 'inspection', 'completed', 'cancelled', 'disputed']

export const demo = [
  journey(
    'the demo has people, listings with pictures, deals in every status with chats, and a ledger that agrees with the deals',
    async () => {
      const admin = await findMediator()
      const traders = await Promise.all(TRADERS.map(findDemoPerson))
      const deals = await everyStatus(traders)
      const talked = await Promise.all(
        deals.map(({ id, reader }) => reader.expect(200, 'GET', `/api/transactions/${id}/messages`)),
      )
      assert.ok(talked.flat().filter(message => !message.isSystem).length >= 6, 'the parties write to each other')
      const listings = await new Person().expect(200, 'GET', '/api/listings')
      const pictured = listings.filter(listing => listing.images.length >= 2)
      assert.ok(pictured.length >= 10, `${pictured.length} listings have pictures`)
      await ledgerMatchesDeals(admin)
      for (const { id, reader } of deals) await ledgerMatches(id, reader)
      await showsTheOtherScreens(traders, admin)
      await traders[0].refused(404, 'NOT_FOUND', 'GET', '/api/admin/ledger/trial-balance')
    },
  ),
]

/**
 * People know each other, offers stand aside, a bank transfer was too much, and enquiries wait: each of these is a state of a screen.
 *
 * @param {Person[]} traders
 * @param {Person} admin
 */
async function showsTheOtherScreens([maya, theo, ruth, jonas], admin) {
  const { saved } = await maya.expect(200, 'GET', '/api/contacts')
  assert.ok(saved.length >= 2, 'a buyer has saved contacts')
  assert.ok((await jonas.expect(200, 'GET', '/api/users/blocked')).length >= 1, 'a seller has blocked a person')
  const own = await theo.expect(200, 'GET', `/api/listings?sellerId=${theo.id}&limit=100`)
  const hidden = own.find(({ isPrivate, images }) => isPrivate && images.length === 0)
  assert.equal((await theo.expect(200, 'GET', `/api/listings/${hidden.id}/invitations`)).length, 1)
  assert.ok(
    own.some(({ status }) => status === 'inactive'),
    'a listing is off sale',
  )
  const byBank = (await ruth.expect(200, 'GET', '/api/payments')).filter(({ method }) => method === 'bank')
  assert.deepEqual(
    byBank.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount),
    ['4.74'],
    'a buyer has paid by bank, and what was too much goes back',
  )
  const enquiries = await admin.expect(200, 'GET', '/api/admin/enquiries?limit=100')
  for (const state of ['open', 'answered'])
    assert.ok(
      enquiries.some(enquiry => enquiry.state === state),
      `an enquiry is ${state}`,
    )
}

/**
 * The demo's deals, as soon as every status has been seen in a deal. A deadline may change the first deal while the last is
 * being made, so statuses seen earlier count. In a demo older than a day, each status that a deal has had counts.
 */
async function everyStatus(traders) {
  const dayAgo = Date.now() - DAY_SECONDS * 1000
  const isOld = (await dealsOf(traders)).some(({ createdAt }) => Date.parse(createdAt) < dayAgo)
  const seen = new Set()
  return eventually(
    'there has been a deal in every status',
    async () => {
      const deals = await dealsOf(traders)
      for (const { status, reached } of deals) for (const each of isOld ? reached : [{ status }]) seen.add(each.status)
      return STATUSES.every(status => seen.has(status)) ? deals : null
    },
    { withinMs: DEMO_WITHIN_MS, everyMs: 500 },
  )
}

/** Each deal once, with a person who may read it. */
async function dealsOf(traders) {
  const lists = await Promise.all(
    traders.map(async reader => {
      const list = await reader.expect(200, 'GET', '/api/transactions')
      return list.map(deal => ({ ...deal, reader }))
    }),
  )
  return [...new Map(lists.flat().map(deal => [deal.id, deal])).values()]
}

/** At one moment and over all deals, the balance of the hold accounts is the sum of the money that the deals hold. */
async function ledgerMatchesDeals(admin) {
  const [usd] = await admin.expect(200, 'GET', '/api/admin/ledger/trial-balance')
  assert.equal(usd.currency, 'USD')
  const held = usd.accounts.find(account => account.kind === 'hold')
  assert.ok(cents(held.balance) > 0n, 'the demo holds money')
  assert.equal(held.balance, usd.heldByDeals)
}

/** For one deal, the balance of its hold account equals the amount that the deal shows as held. */
const ledgerMatches = (id, reader) =>
  // A deadline may change the deal between the two requests; then the next attempt agrees.
  eventually(`deal ${id} holds what was posted`, async () => {
    const { money } = await reader.expect(200, 'GET', `/api/transactions/${id}`)
    const ledger = await reader.expect(200, 'GET', `/api/transactions/${id}/ledger`)
    const into = side => ledger.filter(posting => posting[side].kind === 'hold')
    /** @returns {bigint} */
    const sum = postings => postings.map(({ amount }) => cents(amount)).reduce((one, other) => one + other, 0n)
    return sum(into('credit')) - sum(into('debit')) === cents(money.held)
  })

/** @param {string} amount */
const cents = amount => BigInt(amount.replace('.', ''))
