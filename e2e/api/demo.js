import assert from 'node:assert/strict'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'

const DEMO_PASSWORD = 'holdfast-demo'
/** The demo is filled in while the product is used already. */
const DEMO_WITHIN_MS = 120_000

export const demo = [
  journey(
    'the demo is filled in: people, things to buy with pictures, deals with their talk, and books that balance',
    async () => {
      const admin = await eventually('the mediator can sign in', signInAsAdmin, {
        withinMs: DEMO_WITHIN_MS,
        everyMs: 1_000,
      })
      const buyer = await eventually('the buyer can sign in', () => signIn('maya@example.com'), {
        withinMs: DEMO_WITHIN_MS,
      })
      const deals = await eventually(
        'the buyer has their deals',
        async () => {
          const list = await buyer.expect(200, 'GET', '/api/transactions')
          return list.length >= 6 ? list : null
        },
        { withinMs: DEMO_WITHIN_MS, everyMs: 1_000 },
      )
      const talked = await Promise.all(
        deals.map(({ id }) => buyer.expect(200, 'GET', `/api/transactions/${id}/messages`)),
      )
      assert.ok(talked.flat().filter(message => !message.isSystem).length >= 6, 'people talk')
      const listings = await new Person().expect(200, 'GET', '/api/listings')
      const pictured = listings.filter(listing => listing.images.length >= 2)
      assert.ok(pictured.length >= 10, `${pictured.length} listings have pictures`)
      await balances(admin)
      await buyer.refused(403, 'FORBIDDEN', 'GET', '/api/admin/ledger/trial-balance')
    },
    { deadlineMs: DEMO_WITHIN_MS + 30_000 },
  ),
]

async function signIn(email) {
  const { status } = await new Person().call('POST', '/api/auth/signin', { body: { email, password: DEMO_PASSWORD } })
  return status === 200 ? Person.signIn(email, DEMO_PASSWORD) : null
}

async function signInAsAdmin() {
  const person = await signIn('ines@example.com')
  return person?.role === 'admin' ? person : null
}

/** The trial balance of the whole product: zero per currency, or it is an incident. */
async function balances(admin) {
  const [usd] = await admin.expect(200, 'GET', '/api/admin/ledger/trial-balance')
  assert.equal(usd.currency, 'USD')
  assert.equal(usd.total, '0.00')
  const held = usd.accounts.find(account => account.kind === 'hold')
  assert.ok(Number(held.balance) >= 0, 'nobody holds less than nothing')
}
