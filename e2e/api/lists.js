import assert from 'node:assert/strict'
import { Deal, listingBody } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { everyPage } from '../support/pages.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'

const ids = list => list.map(({ id }) => id)

export const lists = [
  journey('a seller finds their unsold listings behind newer ones that are taken', async () => {
    const seller = await Person.signUp('Sam')
    const unsold = []
    for (const title of ['First unsold sextant', 'Second unsold sextant'])
      unsold.unshift(await seller.expect(201, 'POST', '/api/listings', { body: listingBody({ title }) }))
    const taken = [await Deal.open({}, { seller }), await Deal.open({}, { seller })]
    await eventually('both newer listings are reserved', async () => {
      const reserved = await seller.expect(200, 'GET', `/api/listings?sellerId=${seller.id}&status=reserved`)
      return reserved.length === taken.length
    })
    const own = `/api/listings?sellerId=${seller.id}&status=active&status=inactive&limit=1`
    const pages = await everyPage(seller, own)
    assert.deepEqual(
      pages.map(ids),
      ids(unsold).map(id => [id]),
    )
    for (const person of [taken[0].buyer, new Person()]) {
      const { details } = await person.refused(400, 'VALIDATION_FAILED', 'GET', own)
      assert.deepEqual(Object.keys(details.fields), ['status'], 'only the seller may ask by status')
    }
  }),

  journey('the chat of a deal can be read back to its first message, page by page', async () => {
    const deal = await Deal.open()
    await deal.buyer.expect(200, 'GET', `${deal.path}/messages`)
    const said = ['one', 'two', 'three', 'four', 'five']
    for (const content of said) await deal.buyer.expect(201, 'POST', `${deal.path}/messages`, { body: { content } })
    const pages = await everyPage(deal.seller, `${deal.path}/messages?limit=2`)
    const texts = pages.map(page => page.map(message => (message.isSystem ? 'system' : message.content)))
    assert.deepEqual(texts, [
      ['four', 'five'],
      ['two', 'three'],
      ['system', 'one'],
    ])
    const older = `${deal.path}/messages?before=${pages[0][0].id}`
    const stranger = await Person.signUp('Eve')
    await stranger.refused(404, 'TRANSACTION_NOT_FOUND', 'GET', older)
    await new Person().refused(401, 'UNAUTHENTICATED', 'GET', older)
    await deal.buyer.refused(400, 'VALIDATION_FAILED', 'GET', `${deal.path}/messages?before=${deal.buyer.id}`)
  }),

  journey('unread notifications are counted until their owner has read them', async () => {
    const deal = await Deal.at('paid')
    const unread = async () => (await deal.seller.expect(200, 'GET', '/api/notifications/unread')).unread
    // The seller has not acted yet, so the opening of the deal and its payment notify them.
    await eventually('the seller has two unread notifications', async () => (await unread()) === 2)
    await deal.seller.expect(204, 'POST', '/api/notifications/read')
    assert.equal(await unread(), 0)
    await deal.buyer.expect(201, 'POST', `${deal.path}/messages`, { body: { content: 'Is it packed yet?' } })
    assert.equal(await unread(), 1)
  }),
]
