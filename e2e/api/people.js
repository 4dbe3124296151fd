import assert from 'node:assert/strict'
import { Deal, listingBody } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { PASSWORD, Person } from '../support/person.js'
import { journey } from '../support/runner.js'

const offerTo = (seller, more = {}) => ({ body: listingBody({ selectedUserId: seller.id, ...more }) })

/** What people may do to each other and to their accounts. */
export const people = [
  journey('a blocked person can neither buy from the one who blocked them nor make them an offer', async () => {
    const [blocker, blocked] = await Promise.all([Person.signUp('Bloc'), Person.signUp('Eve')])
    await blocker.expect(204, 'POST', '/api/users/blocked', { body: { userId: blocked.id } })
    const listing = await blocker.expect(201, 'POST', '/api/listings', { body: listingBody() })
    const order = { body: { listingId: listing.id, amount: listing.price } }
    await blocked.refused(403, 'COUNTERPARTY_UNAVAILABLE', 'POST', '/api/transactions', order)
    await blocked.refused(403, 'COUNTERPARTY_UNAVAILABLE', 'POST', '/api/listings', offerTo(blocker))
    const list = await blocker.expect(200, 'GET', '/api/transactions')
    assert.deepEqual(list, [], 'no deal was opened')
    await blocker.expect(204, 'DELETE', `/api/users/blocked/${blocked.id}`)
    await blocked.expect(201, 'POST', '/api/transactions', order)
  }),

  journey('a blocked person can write in the chat of a deal until it has ended', async () => {
    const [running, ended] = [await Deal.at('paid'), await Deal.at('completed')]
    /** @returns {[string, string, { body: object }]} */
    const say = ({ path }) => ['POST', `${path}/messages`, { body: { content: 'Hello?' } }]
    for (const deal of [running, ended]) {
      await deal.buyer.expect(201, ...say(deal))
      await deal.seller.expect(204, 'POST', '/api/users/blocked', { body: { userId: deal.buyer.id } })
    }
    await eventually(
      'the block is known to the chat',
      async () => (await ended.buyer.call(...say(ended))).status === 403,
    )
    await ended.buyer.refused(403, 'COUNTERPARTY_UNAVAILABLE', ...say(ended))
    await ended.seller.expect(201, ...say(ended))
    await running.buyer.expect(201, ...say(running))
  }),

  journey('a person named as seller declines before payment, and their e-mail address is not shown', async () => {
    const [buyer, stranger] = await Promise.all([Person.signUp('Ann'), Person.signUp('Stan')])
    const { transaction } = await buyer.expect(201, 'POST', '/api/listings', offerTo(stranger, { userRole: 'buyer' }))
    const path = `/api/transactions/${transaction.id}`
    const { seller, openedBy } = await buyer.expect(200, 'GET', path)
    assert.deepEqual([seller.email, openedBy], [null, 'buyer'])
    await stranger.expect(200, 'DELETE', path)
    await buyer.refused(404, 'TRANSACTION_NOT_FOUND', 'GET', path)
  }),

  journey('signing in again with the same browser ends the earlier session', async () => {
    const person = await Person.signUp('Olga')
    const { cookie } = person
    const body = { email: person.email, password: PASSWORD }
    await person.expect(200, 'POST', '/api/auth/signin', { body })
    const earlier = Object.assign(new Person(), { cookie })
    await earlier.refused(401, 'UNAUTHENTICATED', 'POST', '/api/notifications/read')
    await person.expect(200, 'GET', '/api/auth/user')
  }),

  journey('a password that everybody guesses, and a name that looks like ours, are refused', async () => {
    const body = { email: 'anna.new@example.com', firstName: 'Anna', lastName: 'New', username: 'anna.new' }
    const refusedField = async changes => {
      const answer = await new Person().expect(400, 'POST', '/api/auth/signup', {
        body: { ...body, password: PASSWORD, ...changes },
      })
      return Object.keys(answer.details.fields)
    }
    assert.deepEqual(await refusedField({ password: 'password1' }), ['password'])
    assert.deepEqual(await refusedField({ firstName: 'Holdfast', lastName: 'Support' }), ['firstName'])
    assert.deepEqual(await refusedField({ firstName: 'An\u202Ena' }), ['firstName'])
  }),
]
