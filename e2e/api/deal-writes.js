import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Deal, trackingNumber } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { operations } from '../support/openapi.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'

const ROLES = ['buyer', 'seller']
const filing = deal => ({ transactionId: deal.id, reason: 'other', description: 'The item is not as agreed.' })
const filedBy = role => async deal => {
  const { id } = await deal[role].expect(201, 'POST', '/api/disputes', { body: filing(deal) })
  return id
}

const FILED = filedBy('buyer')

/** A dispute in which each party has made a proposal. */
async function proposed(deal) {
  const id = await FILED(deal)
  const settlement = `/api/disputes/${id}/settlement`
  await deal.buyer.expect(200, 'POST', settlement, { body: { refundAmount: '40.00' } })
  await deal.seller.expect(200, 'POST', settlement, { body: { refundAmount: '20.00' } })
  const { proposals } = await deal.buyer.expect(200, 'GET', `/api/disputes/${id}`)
  deal.proposedBy = Object.fromEntries(proposals.map(proposal => [proposal.role, proposal.id]))
  return id
}

/** A dispute that the other party has answered and a mediator has ruled on. */
async function ruled(deal, outcome = 'seller_favor') {
  const id = await FILED(deal)
  const mediator = await findMediator()
  await deal.seller.expect(201, 'POST', `/api/disputes/${id}/evidence`, { body: { note: 'It is as agreed.' } })
  const body = { outcome, resolution: 'The pictures show it.' }
  await mediator.expect(200, 'POST', `/api/admin/disputes/${id}/ruling`, { body, key: randomUUID() })
  return id
}

/** A dispute whose item the buyer is to send back. */
async function returning(deal) {
  const id = await ruled(deal, 'return_exchange')
  for (const role of ROLES) await deal[role].expect(200, 'POST', `/api/disputes/${id}/waive`)
  return id
}

async function returned(deal) {
  const id = await returning(deal)
  const body = { trackingNumber: trackingNumber() }
  await deal.buyer.expect(200, 'POST', `/api/disputes/${id}/return`, { body })
  return id
}

const to = status => ({ body: () => ({ status }) })

/**
 * Every write on a deal, the roles that may send it, and a status in which it is accepted. When the route's `{id}` is not
 * the deal's id, `id` prepares it.
 */
const DEAL_WRITES = [
  { route: 'POST /api/transactions/{id}/payments', by: ['buyer'], at: 'pending', body: () => ({ method: 'card' }) },
  { route: 'POST /api/transactions/{id}/review', by: ROLES, at: 'completed', body: () => ({ rating: 5 }) },
  { route: 'DELETE /api/transactions/{id}', by: ['buyer', 'seller'], at: 'pending' },
  { route: 'PATCH /api/transactions/{id}', by: ['buyer', 'seller'], at: 'pending', ...to('cancelled') },
  { route: 'PATCH /api/transactions/{id}', by: ['seller'], at: 'paid', ...to('in_progress') },
  { route: 'PATCH /api/transactions/{id}', by: ['buyer'], at: 'paid', ...to('inspection') },
  { route: 'PATCH /api/transactions/{id}', by: ['buyer'], at: 'inspection', ...to('completed') },
  {
    route: 'POST /api/transactions/{id}/tracking',
    by: ['seller'],
    at: 'paid',
    body: () => ({ trackingNumber: trackingNumber() }),
  },
  { route: 'POST /api/transactions/{id}/confirm-delivery', by: ['buyer'], at: 'paid' },
  { route: 'POST /api/transactions/{id}/accept', by: ['buyer'], at: 'inspection' },
  { route: 'POST /api/transactions/{id}/refund', by: ['seller'], at: 'inspection' },
  {
    route: 'POST /api/transactions/{id}/messages',
    by: ['buyer', 'seller'],
    at: 'paid',
    body: () => ({ content: 'Hello' }),
  },
  {
    route: 'PUT /api/transactions/{id}/messages/read',
    by: ['buyer', 'seller'],
    at: 'paid',
    // No message has this id. Nothing is marked then.
    body: ({ buyer }) => ({ upTo: buyer.id }),
  },
  { route: 'POST /api/disputes', by: ['buyer', 'seller'], at: 'paid', body: filing },
  { route: 'POST /api/disputes/{id}/withdraw', by: ['buyer'], at: 'paid', id: filedBy('buyer') },
  { route: 'POST /api/disputes/{id}/withdraw', by: ['seller'], at: 'paid', id: filedBy('seller') },
  {
    route: 'POST /api/disputes/{id}/evidence',
    by: ['buyer', 'seller'],
    at: 'paid',
    id: FILED,
    body: () => ({ note: 'It is broken.' }),
  },
  {
    route: 'POST /api/disputes/{id}/settlement',
    by: ['buyer', 'seller'],
    at: 'paid',
    id: FILED,
    body: () => ({ refundAmount: '40.00' }),
  },
  {
    route: 'POST /api/disputes/{id}/settlement/decline',
    by: ['buyer', 'seller'],
    at: 'paid',
    id: proposed,
    body: ({ proposedBy }, role) => ({ proposalId: proposedBy?.[role === 'buyer' ? 'seller' : 'buyer'] }),
  },
  { route: 'POST /api/disputes/{id}/waive', by: ['buyer', 'seller'], at: 'paid', id: ruled },
  {
    route: 'POST /api/disputes/{id}/appeal',
    by: ['buyer', 'seller'],
    at: 'paid',
    id: ruled,
    body: () => ({ reason: 'The pictures show something else.' }),
  },
  {
    route: 'POST /api/disputes/{id}/return',
    by: ['buyer'],
    at: 'paid',
    id: returning,
    body: () => ({ trackingNumber: trackingNumber() }),
  },
  { route: 'POST /api/disputes/{id}/return/confirm', by: ['seller'], at: 'paid', id: returning },
  {
    route: 'POST /api/disputes/{id}/return/contest',
    by: ['seller'],
    at: 'paid',
    id: returned,
    body: () => ({ reason: 'An empty box came back.' }),
  },
]

const isDealWrite = ({ changes, path }) =>
  changes && (path.startsWith('/api/transactions/{id}') || path.startsWith('/api/disputes'))
const nameOf = ({ route, body }, deal) => [route, body && JSON.stringify(body(deal))].filter(Boolean).join(' ')

async function write(row, deal, role, id = deal.id) {
  const [method, path] = row.route.replace('{id}', id).split(' ')
  return deal[role].call(method, path, { key: randomUUID(), ...(row.body ? { body: row.body(deal, role) } : {}) })
}

async function isRefused(row, deal, role, id) {
  const { status, body, text } = await write(row, deal, role, id)
  assert.equal(status, 403, `${nameOf(row, deal)} of the ${role} answered ${status}: ${text}`)
  assert.equal(body.code, 'FORBIDDEN')
}

/** The deal as its buyer sees it, without ratings: a review of another deal of these people changes them at any time. */
const seenOf = async deal =>
  JSON.parse(JSON.stringify(await deal.seenBy(deal.buyer), (name, value) => (name === 'rating' ? undefined : value)))

/** For each permitted role, on a new deal: the other role is refused and changes nothing, the permitted one is accepted. */
async function belongsTo(row, people, success) {
  await Promise.all(
    row.by.map(async role => {
      const deal = await Deal.at(row.at, {}, people)
      const id = await row.id?.(deal)
      const before = await seenOf(deal)
      for (const other of ROLES.filter(each => !row.by.includes(each))) await isRefused(row, deal, other, id)
      assert.deepEqual(await seenOf(deal), before, `${nameOf(row, deal)} refused has changed nothing`)
      const { status, text } = await write(row, deal, role, id)
      assert.equal(status, success, `${nameOf(row, deal)} of the ${role} answered ${status}: ${text}`)
    }),
  )
}

export const dealWrites = [
  journey('every write on a deal is accepted from the role it belongs to, and refused to the other', async () => {
    const described = (await operations()).filter(isDealWrite)
    assert.deepEqual(
      described.map(({ name }) => name).sort(),
      [...new Set(DEAL_WRITES.map(({ route }) => route))].sort(),
      'the table has every write on a deal',
    )
    const successes = Object.fromEntries(described.map(({ name, success }) => [name, success]))
    // Two rows have at most four deals. A buyer may have five unpaid ones at a time.
    for (let first = 0; first < DEAL_WRITES.length; first += 2) {
      const people = { buyer: await Person.signUp('Bea'), seller: await Person.signUp('Sam') }
      const rows = DEAL_WRITES.slice(first, first + 2)
      await Promise.all(rows.map(row => belongsTo(row, people, successes[row.route])))
    }
  }),

  journey('a write of the other role is refused as forbidden in every status, and not as a wrong state', async () => {
    const quote = { route: 'GET /api/transactions/{id}/quote', by: ['buyer'] }
    const rows = [...DEAL_WRITES.filter(({ id, by }) => !id && by.length < ROLES.length), quote]
    for (const status of ['pending', 'paid', 'inspection']) {
      const deal = await Deal.at(status)
      const before = await deal.seenBy(deal.buyer)
      for (const row of rows) await isRefused(row, deal, row.by[0] === 'buyer' ? 'seller' : 'buyer')
      assert.deepEqual(await deal.seenBy(deal.buyer), before)
    }
  }),
]
