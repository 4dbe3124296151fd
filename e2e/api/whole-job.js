import assert from 'node:assert/strict'
import { Deal, listingBody, moves, trackingNumber } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { LiveEvents } from '../support/live-events.js'
import { Person } from '../support/person.js'
import { pngDataUrl } from '../support/picture.js'
import { journey } from '../support/runner.js'
import { confirmCard, DECLINED_CARD, moveParcel } from '../support/sandbox.js'

/** A word that no other listing contains. */
const word = `theodolite${Date.now().toString(36)}`

export const wholeJob = [
  journey('two strangers trade: sign up, list, search, buy, pay, ship, deliver, inspect, accept', async () => {
    const [seller, buyer] = await Promise.all([Person.signUp('Sam'), Person.signUp('Bea')])
    const listing = await offer(seller)
    await find(buyer, listing)
    const deal = await buy(buyer, seller, listing)
    await payWithTwoCards(deal)
    await travel(deal)
    await acceptAndCount(deal)
  }),

  journey('the timeline shows both parties every step in order, with who took it', async () => {
    const deal = await Deal.at('completed')
    for (const person of [deal.buyer, deal.seller]) {
      const timeline = await person.expect(200, 'GET', `${deal.path}/timeline`)
      assert.deepEqual(
        timeline.map(({ status, actor }) => `${status} by ${actor}`),
        [
          'pending by buyer',
          'paid by provider',
          'shipped by seller',
          'delivered by carrier',
          'inspection by carrier',
          'released by buyer',
          'completed by buyer',
        ],
      )
      for (const [index, entry] of timeline.entries()) {
        assert.ok(entry.text.length > 10, `"${entry.text}" says what happened`)
        if (index > 0) assert.ok(entry.at >= timeline[index - 1].at, 'times do not run backwards')
      }
    }
  }),

  journey('an action of one party reaches the other at once as a live event', async () => {
    const deal = await Deal.open()
    const live = await LiveEvents.of(deal.seller)
    const stranger = await Person.signUp('Stranger')
    const strangersLive = await LiveEvents.of(stranger)
    try {
      await deal.pay()
      const about = kind => event => event.kind === kind && event.transactionId === deal.id
      await live.receives('the seller receives an event of the payment', about('transaction'))
      await deal.buyer.expect(201, 'POST', `${deal.path}/messages`, { body: { content: 'Is it packed yet?' } })
      await live.receives('the seller receives an event of the message', about('message'))
      assert.deepEqual(
        strangersLive.received.filter(event => event.transactionId),
        [],
        'no other user receives an event of the deal',
      )
    } finally {
      live.stop()
      strangersLive.stop()
    }
  }),

  journey('the parties of a deal write to each other and are notified', async () => {
    const deal = await Deal.at('paid')
    const content = 'The latch sticks a little: push, then turn. — “Señor Núñez” 👍'
    const claims = { transactionId: deal.id, senderId: deal.buyer.id, isSystem: true }
    const sent = await deal.seller.expect(201, 'POST', `${deal.path}/messages`, {
      body: { content: `  ${content} `, ...claims },
    })
    assert.equal(sent.senderId, deal.seller.id, 'the sender is the signed-in user, not the one in the body')
    assert.equal(sent.isSystem, false)
    const chat = await deal.buyer.expect(200, 'GET', `${deal.path}/messages`)
    assert.deepEqual(
      chat.filter(message => !message.isSystem).map(message => message.content),
      [content],
    )
    const notified = await eventually('the buyer is notified of the message', async () => {
      const notifications = await deal.buyer.expect(200, 'GET', '/api/notifications')
      return notifications.find(each => each.type === 'message' && each.transactionId === deal.id)
    })
    assert.equal(notified.read, false)
    await deal.buyer.expect(204, 'POST', '/api/notifications/read')
    const after = await deal.buyer.expect(200, 'GET', '/api/notifications')
    // One about an earlier step of the deal may arrive just now.
    assert.equal(after.find(({ id }) => id === notified.id)?.read, true, 'what was there is read')
  }),

  journey('the dashboard’s figures follow the deal to the cent', async () => {
    const deal = await Deal.at('inspection')
    const figures = person => person.expect(200, 'GET', '/api/transactions/summary')
    assert.deepEqual(await figures(deal.buyer), summary({ activePurchases: 1, totalSpent: '127.40' }))
    assert.deepEqual(await figures(deal.seller), summary({ activeSales: 1 }))
    await deal.accept()
    assert.deepEqual(await figures(deal.buyer), summary({ totalSpent: '127.40' }))
    assert.deepEqual(await figures(deal.seller), summary({ totalEarnings: '118.20' }))
  }),
]

const summary = more => ({
  activeSales: 0,
  totalEarnings: '0.00',
  activePurchases: 0,
  totalSpent: '0.00',
  currency: 'USD',
  ...more,
})

async function offer(seller) {
  const images = [pngDataUrl(900, 600, [196, 145, 63]), pngDataUrl(300, 700, [47, 74, 64])]
  const body = listingBody({ title: `Surveyor’s ${word}`, images })
  const listing = await seller.expect(201, 'POST', '/api/listings', { body })
  assert.equal(listing.status, 'active')
  assert.equal(listing.price, '120.00')
  assert.equal(listing.images.length, 2)
  for (const image of listing.images) {
    const { status, headers } = await new Person().call('GET', image)
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^image\//)
    assert.match(headers.get('cache-control') ?? '', /immutable/)
  }
  return listing
}

async function find(buyer, listing) {
  const found = await buyer.expect(200, 'GET', `/api/listings?q=${word}&minPrice=100&maxPrice=120&category=Other`)
  assert.deepEqual(
    found.map(each => each.id),
    [listing.id],
  )
  assert.equal(found[0].seller.email, undefined, 'a listing does not show its seller’s e-mail address')
  assert.deepEqual(await buyer.expect(200, 'GET', `/api/listings?q=${word}&maxPrice=119.99`), [])
}

async function buy(buyer, seller, listing) {
  const body = { listingId: listing.id, buyerId: buyer.id, amount: listing.price }
  const created = await buyer.expect(201, 'POST', '/api/transactions', { body })
  const deal = new Deal(created.id, buyer, seller, listing)
  assert.equal(created.status, 'pending')
  assert.equal(created.turn, 'buyer')
  assert.equal(created.seller.email, null, 'opening a deal does not reveal the seller’s e-mail address')
  assert.equal(created.clock.kind, 'payment_window')
  await eventually('the listing is reserved', async () => {
    const { status } = await seller.expect(200, 'GET', `/api/listings/${listing.id}`)
    return status === 'reserved'
  })
  return deal
}

async function payWithTwoCards(deal) {
  const quote = await deal.buyer.expect(200, 'GET', `${deal.path}/quote?method=card`)
  assert.deepEqual(
    quote.lines.map(({ label, amount }) => `${label}: ${amount}`),
    ['Purchase Amount: 120.00', 'Platform Fee (2%): 2.40', 'Processing Fee: 5.00'],
  )
  assert.equal(quote.total, '127.40')
  const payment = await deal.beginPayment()
  assert.equal(payment.total, '127.40')
  const declined = await confirmCard(payment, DECLINED_CARD)
  assert.equal(declined.status, 402)
  assert.equal(declined.body.error.code, 'card_declined')
  assert.equal(await deal.status(), 'pending', 'a decline leaves the deal pending')
  const again = await deal.beginPayment()
  const paid = await confirmCard(again)
  assert.equal(paid.status, 200)
  await deal.reaches('paid')
  const { buyer } = await deal.seller.expect(200, 'GET', deal.path)
  assert.equal(buyer.email, deal.buyer.email, 'the seller of a paid deal sees the buyer’s e-mail address')
  const { seller } = await deal.buyer.expect(200, 'GET', deal.path)
  assert.equal(seller.email, null, 'paying does not reveal the e-mail address of a seller who has not acted')
  const { money, turn } = await deal.seenBy(deal.seller)
  assert.equal(money.held, '127.40')
  assert.equal(turn, 'seller')
}

async function travel(deal) {
  const number = trackingNumber()
  await deal.seller.refused(400, 'VALIDATION_FAILED', 'POST', `${deal.path}/tracking`, {
    body: { trackingNumber: '  ' },
  })
  const body = { trackingNumber: ` ${number} `, carrier: 'UPS' }
  await deal.seller.expect(200, 'POST', `${deal.path}/tracking`, { body })
  const { status, trackingNumber: kept, seller } = await deal.seenBy(deal.buyer)
  assert.equal(status, 'shipped')
  assert.equal(seller.email, deal.seller.email, 'the buyer sees the e-mail address of a seller who has shipped')
  assert.equal(kept, number, 'the number is kept without the spaces around it')
  const track = async () => {
    const answer = await deal.buyer.call('GET', `/api/tracking/${number}`)
    return answer.status === 200 ? answer.body : null
  }
  await eventually('the carrier knows the parcel', track)
  await moveParcel(number, 'out_for_delivery')
  await eventually('the parcel is on the van', async () => (await track()).status === 'out_for_delivery')
  await moveParcel(number, 'delivered')
  await deal.reaches('inspection')
  assert.equal((await track()).delivered, true)
  const inspected = await deal.seenBy(deal.buyer)
  assert.equal(inspected.clock.kind, 'inspection')
  assert.equal(inspected.clock.outcome, 'released')
}

async function acceptAndCount(deal) {
  await deal.seller.refused(403, 'FORBIDDEN', 'POST', `${deal.path}/accept`)
  await deal.accept()
  const { status, clock, money } = await deal.seenBy(deal.seller)
  assert.equal(status, 'completed')
  assert.equal(clock, null)
  assert.deepEqual(money, {
    buyerFee: '7.40',
    buyerTotal: '127.40',
    sellerFee: '1.80',
    sellerNet: '118.20',
    held: '0.00',
    released: '118.20',
    refunded: '0.00',
    chargedBack: '0.00',
  })
  for (const person of [deal.buyer, deal.seller])
    assert.deepEqual(moves(await deal.ledgerFor(person)), [
      'provider_clearing → hold 127.40',
      'hold → seller_payable 118.20',
      'hold → revenue 9.20',
    ])
  await deal.buyer.refused(409, 'ESCROW_WRONG_STATE', 'POST', `${deal.path}/accept`)
  await eventually('the listing is sold', async () => {
    const { status } = await deal.seller.expect(200, 'GET', `/api/listings/${deal.listing.id}`)
    return status === 'sold'
  })
}
