import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Deal, listingBody, moves } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { changeListing } from '../support/product-data.js'
import { journey } from '../support/runner.js'
import { confirmAddress, confirmCard, control, paymentOf } from '../support/sandbox.js'

const offer = (seller, more) => seller.expect(201, 'POST', '/api/listings', { body: listingBody(more) })
const order = (buyer, listing, more = {}) => ({
  body: { listingId: listing.id, buyerId: buyer.id, amount: listing.price, ...more },
})

/** It changes a listing in the database. */
export const keptTerms = [
  journey('a deal keeps the terms it was opened under when the listing changes', async () => {
    const deal = await Deal.at('paid')
    await changeListing(deal.listing.id, { title: 'Something else', priceMinor: 99_900 })
    const changed = await deal.seller.expect(200, 'GET', `/api/listings/${deal.listing.id}`)
    assert.deepEqual([changed.title, changed.price], ['Something else', '999.00'])
    for (const party of [deal.buyer, deal.seller]) {
      const { amount, listing } = await deal.seenBy(party)
      assert.equal(amount, '120.00')
      assert.equal(listing.title, deal.listing.title)
    }
  }),
]

export const deals = [
  journey('when several buyers order an item at the same moment, one gets it', async () => {
    const [seller, ...buyers] = await Promise.all(['Sam', 'Ann', 'Bob', 'Cleo'].map(name => Person.signUp(name)))
    const listing = await offer(seller)
    const answers = await Promise.all(
      buyers.map(buyer => buyer.call('POST', '/api/transactions', order(buyer, listing))),
    )
    assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 409, 409])
    for (const { status, body } of answers) if (status === 409) assert.equal(body.code, 'LISTING_NOT_AVAILABLE')
  }),

  journey('an order at another price, in another user’s name or of one’s own item is refused', async () => {
    const [seller, buyer] = await Promise.all([Person.signUp('Sam'), Person.signUp('Bea')])
    const listing = await offer(seller)
    await buyer.refused(
      409,
      'LISTING_PRICE_CHANGED',
      'POST',
      '/api/transactions',
      order(buyer, listing, { amount: '12.00' }),
    )
    await buyer.refused(403, 'FORBIDDEN', 'POST', '/api/transactions', order(seller, listing))
    await seller.refused(403, 'OWN_LISTING', 'POST', '/api/transactions', order(seller, listing))
    const changed = { price: '130.00' }
    const unsigned = await seller.refused(400, 'VALIDATION_FAILED', 'PATCH', `/api/listings/${listing.id}`, {
      body: changed,
    })
    assert.deepEqual(Object.keys(unsigned.details.fields), ['digitalSignature'])
    const signed = { ...changed, digitalSignature: 'Sam Tester' }
    await seller.expect(200, 'PATCH', `/api/listings/${listing.id}`, { body: signed })
    const refusal = await buyer.refused(
      409,
      'LISTING_PRICE_CHANGED',
      'POST',
      '/api/transactions',
      order(buyer, listing),
    )
    assert.equal(refusal.details.price, '130.00', 'the refusal names the current price')
    await buyer.expect(201, 'POST', '/api/transactions', order(buyer, listing, { amount: 130 }))
  }),

  journey('one idempotency key opens one deal or payment, and is refused for another input', async () => {
    const [seller, buyer] = await Promise.all([Person.signUp('Sam'), Person.signUp('Bea')])
    const listing = await offer(seller)
    const key = randomUUID()
    const once = () => buyer.expect(201, 'POST', '/api/transactions', { ...order(buyer, listing), key })
    const [first, second] = await Promise.all([once(), once()])
    const third = await once()
    assert.deepEqual([second.id, third.id], [first.id, first.id])
    const deal = new Deal(first.id, buyer, seller, listing)
    const payments = await Promise.all([deal.beginPayment('one-key'), deal.beginPayment('one-key')])
    assert.equal(payments[0].paymentId, payments[1].paymentId)
    await confirmAddress(buyer)
    const other = { body: { method: 'bank' }, key: 'one-key' }
    await buyer.refused(422, 'IDEMPOTENCY_KEY_REUSED', 'POST', `${deal.path}/payments`, other)
    await buyer.refused(400, 'VALIDATION_FAILED', 'POST', `${deal.path}/payments`, { body: { method: 'card' } })
  }),

  journey('a deal is charged once, even if its buyer confirms the payment several times', async () => {
    const deal = await Deal.open()
    const payment = await deal.beginPayment()
    await Promise.all([confirmCard(payment), confirmCard(payment), confirmCard(payment)])
    await deal.reaches('paid')
    await deal.buyer.refused(409, 'ESCROW_WRONG_STATE', 'POST', `${deal.path}/payments`, {
      body: { method: 'card' },
      key: randomUUID(),
    })
    assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), ['provider_clearing → hold 127.40'])
    assert.equal((await paymentOf(deal.id)).amount, 12_740)
  }),

  journey('either party can cancel an unpaid deal: it leaves both lists, and its item is for sale again', async () => {
    for (const who of ['buyer', 'seller']) {
      const deal = await Deal.open()
      await deal[who].expect(200, 'DELETE', deal.path)
      for (const person of [deal.buyer, deal.seller]) {
        await person.refused(404, 'TRANSACTION_NOT_FOUND', 'GET', deal.path)
        const list = await person.expect(200, 'GET', '/api/transactions')
        assert.deepEqual(list, [])
      }
      await eventually('the listing is active again', async () => {
        const { status } = await deal.seller.expect(200, 'GET', `/api/listings/${deal.listing.id}`)
        return status === 'active'
      })
    }
  }),

  journey('a paid deal cannot be cancelled, but its seller can refund every cent', async () => {
    const deal = await Deal.at('paid')
    await deal.buyer.refused(409, 'ESCROW_WRONG_STATE', 'DELETE', deal.path)
    await deal.buyer.refused(403, 'FORBIDDEN', 'POST', `${deal.path}/refund`)
    await deal.seller.expect(200, 'POST', `${deal.path}/refund`)
    const { status, money } = await deal.seenBy(deal.buyer)
    assert.equal(status, 'cancelled')
    assert.equal(money.refunded, '127.40')
    assert.equal(money.held, '0.00')
    await eventually('the provider has refunded it', async () => {
      const { refunded } = await paymentOf(deal.id)
      return refunded === 12_740
    })
    await eventually(
      'the ledger shows the confirmed refund',
      async () => (await deal.ledgerFor(deal.buyer)).length === 3,
    )
    assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), [
      'provider_clearing → hold 127.40',
      'hold → refund_due 127.40',
      'refund_due → provider_clearing 127.40',
    ])
    const figures = await deal.buyer.expect(200, 'GET', '/api/transactions/summary')
    assert.equal(figures.totalSpent, '0.00')
  }),

  journey(
    'an item sold as is completes when the buyer confirms the delivery, and the deal announces this before',
    async () => {
      const deal = await Deal.at('shipped', { inspectionPeriod: 0 })
      const { completesOnDelivery } = await deal.seenBy(deal.buyer)
      assert.equal(completesOnDelivery, true)
      await deal.seller.refused(403, 'FORBIDDEN', 'POST', `${deal.path}/confirm-delivery`)
      const state = await deal.buyer.expect(200, 'POST', `${deal.path}/confirm-delivery`)
      assert.equal(state.status, 'completed')
      assert.equal((await deal.seenBy(deal.seller)).money.released, '118.20')
    },
  ),

  journey('an item handed over without a carrier is confirmed by its buyer', async () => {
    const deal = await Deal.at('paid')
    await deal.buyer.refused(403, 'FORBIDDEN', 'PATCH', deal.path, { body: { status: 'in_progress' } })
    await deal.seller.expect(200, 'PATCH', deal.path, { body: { status: 'in_progress' } })
    assert.equal((await deal.seenBy(deal.buyer)).turn, 'buyer')
    const { status } = await deal.buyer.expect(200, 'POST', `${deal.path}/confirm-delivery`)
    assert.equal(status, 'inspection')
    await deal.buyer.expect(200, 'PATCH', deal.path, { body: { status: 'completed' } })
    assert.equal(await deal.status(), 'completed')
  }),

  journey('a status that no party may set is refused', async () => {
    const deal = await Deal.at('paid')
    for (const status of ['released', 'paid', 'disputed', 'delivered', 'secured', 'completed'])
      for (const person of [deal.buyer, deal.seller]) {
        const answer = await person.call('PATCH', deal.path, { body: { status } })
        assert.ok([403, 409].includes(answer.status), `${status} answered ${answer.status}`)
      }
    assert.equal(await deal.status(), 'paid')
  }),

  journey('a listing made for a chosen buyer opens the deal at once, and no other user sees either', async () => {
    const [seller, buyer, stranger] = await Promise.all(['Sam', 'Bea', 'Eve'].map(name => Person.signUp(name)))
    const found = await seller.expect(200, 'GET', `/api/users/search?q=${buyer.username}`)
    assert.deepEqual(
      found.map(({ id }) => id),
      [buyer.id],
    )
    const made = await offer(seller, {
      userRole: 'seller',
      selectedUserId: buyer.id,
      buyerId: buyer.id,
      sellerId: null,
    })
    const deal = await buyer.expect(200, 'GET', `/api/transactions/${made.transaction.id}`)
    assert.equal(deal.viewerRole, 'buyer')
    assert.equal(deal.sellerId, seller.id)
    await stranger.refused(404, 'TRANSACTION_NOT_FOUND', 'GET', `/api/transactions/${deal.id}`)
    await stranger.refused(404, 'LISTING_NOT_FOUND', 'GET', `/api/listings/${made.id}`)
  }),

  journey(
    'a buyer can make a listing for a chosen seller, and the server decides who is buyer and seller',
    async () => {
      const [buyer, seller] = await Promise.all([Person.signUp('Bea'), Person.signUp('Sam')])
      const made = await offer(buyer, {
        userRole: 'buyer',
        selectedUserId: seller.id,
        buyerId: buyer.id,
        sellerId: seller.id,
      })
      const deal = await seller.expect(200, 'GET', `/api/transactions/${made.transaction.id}`)
      assert.equal(deal.viewerRole, 'seller')
      assert.equal(deal.buyerId, buyer.id)
      assert.equal(made.sellerId, seller.id)
      await buyer.refused(400, 'COUNTERPARTY_REQUIRED', 'POST', '/api/listings', {
        body: listingBody({ userRole: 'buyer' }),
      })
    },
  ),

  journey(
    'a listing that a buyer made is on sale again only under its seller’s own signature, and for nobody else',
    async () => {
      const [first, seller, third] = await Promise.all(['Bea', 'Sam', 'Tom'].map(name => Person.signUp(name)))
      const deal = await Deal.naming({}, { buyer: first, seller })
      await seller.expect(200, 'DELETE', deal.path)
      const path = `/api/listings/${deal.listing.id}`
      const isOff = async () => (await seller.expect(200, 'GET', path)).status === 'inactive'
      await eventually('the listing is off sale', isOff)
      const onSale = { status: 'active', price: '900.00' }
      await seller.refused(400, 'VALIDATION_FAILED', 'PATCH', path, { body: onSale })
      await seller.refused(400, 'VALIDATION_FAILED', 'PATCH', path, { body: { status: 'active' } })
      await seller.expect(200, 'PATCH', path, { body: { ...onSale, digitalSignature: 'Sam Tester' } })
      const order = { body: { listingId: deal.listing.id, amount: '900.00' } }
      await third.refused(404, 'LISTING_NOT_FOUND', 'POST', '/api/transactions', order)
      const bought = await first.expect(201, 'POST', '/api/transactions', order)
      assert.deepEqual([bought.sellerAccepted, bought.amount], [true, '900.00'])
    },
  ),

  journey(
    'what a buyer does alone completes no deal, and a seller whom they named accepts by handing over',
    async () => {
      const deal = await Deal.naming({ inspectionPeriod: 0 })
      await deal.pay()
      const seen = await deal.seenBy(deal.buyer)
      assert.deepEqual([seen.sellerAccepted, seen.actions, seen.clock.outcome], [false, [], 'refunded'])
      await deal.buyer.refused(409, 'SELLER_NOT_ACCEPTED', 'POST', `${deal.path}/confirm-delivery`)
      await deal.buyer.refused(409, 'SELLER_NOT_ACCEPTED', 'PATCH', deal.path, { body: { status: 'inspection' } })
      const filing = { transactionId: deal.id, reason: 'item_not_received', description: 'Nothing has come.' }
      await deal.buyer.refused(409, 'SELLER_NOT_ACCEPTED', 'POST', '/api/disputes', { body: filing })
      await deal.buyer.refused(409, 'ESCROW_WRONG_STATE', 'POST', `${deal.path}/review`, { body: { rating: 1 } })
      await deal.seller.expect(200, 'PATCH', deal.path, { body: { status: 'in_progress' } })
      const state = await deal.buyer.expect(200, 'POST', `${deal.path}/confirm-delivery`)
      assert.equal(state.status, 'completed')
      await deal.buyer.expect(201, 'POST', `${deal.path}/review`, { body: { rating: 5 } })
    },
  ),

  journey('a dispute stops the deal and its money; after its withdrawal the deal goes on with its clock', async () => {
    const deal = await Deal.at('shipped')
    const body = {
      transactionId: deal.id,
      reason: 'item_not_received',
      description: 'Nothing has come.',
      reporterId: deal.seller.id,
    }
    const filed = await deal.buyer.expect(201, 'POST', '/api/disputes', { body })
    assert.equal(filed.reporterId, deal.buyer.id, 'the reporter is the signed-in user, not the one in the body')
    const held = await deal.seenBy(deal.seller)
    assert.equal(held.status, 'disputed')
    assert.equal(held.clock, null)
    assert.equal(held.money.held, '127.40')
    for (const { person, path } of [
      { person: deal.seller, path: 'refund' },
      { person: deal.buyer, path: 'accept' },
      { person: deal.buyer, path: 'confirm-delivery' },
    ])
      await person.refused(409, 'ESCROW_WRONG_STATE', 'POST', `${deal.path}/${path}`)
    await deal.buyer.refused(409, 'DISPUTE_EXISTS', 'POST', '/api/disputes', { body })
    await deal.seller.refused(403, 'FORBIDDEN', 'POST', `/api/disputes/${filed.id}/withdraw`)
    await deal.buyer.expect(200, 'POST', `/api/disputes/${filed.id}/withdraw`)
    await deal.reaches('shipped')
    assert.equal((await deal.seenBy(deal.buyer)).clock.kind, 'receive_by')
  }),

  journey('a deal is paid by two bank transfers, and what is too much goes back', async () => {
    const deal = await Deal.open()
    const body = { method: 'bank' }
    await deal.buyer.refused(403, 'EMAIL_NOT_CONFIRMED', 'POST', `${deal.path}/payments`, { body, key: randomUUID() })
    await confirmAddress(deal.buyer)
    const { bankTransfer } = await deal.buyer.expect(201, 'POST', `${deal.path}/payments`, { body, key: randomUUID() })
    assert.equal(bankTransfer.missing, '121.80')
    const { id } = await paymentOf(deal.id)
    await control('POST', `/payments/${id}/transfer`, { amount: 10_000 })
    await eventually('a part has arrived', async () => {
      const { bankTransfer } = await deal.buyer.expect(200, 'GET', `${deal.path}/payment`)
      return bankTransfer.missing === '21.80'
    })
    assert.equal(await deal.status(), 'pending')
    await control('POST', `/payments/${id}/transfer`, { amount: 3_000 })
    await deal.reaches('secured')
    await control('POST', `/payments/${id}/settle`)
    await deal.reaches('paid')
    const ledger = await deal.ledgerFor(deal.buyer)
    assert.ok(moves(ledger).includes('provider_clearing → hold 121.80'), moves(ledger).join())
  }),

  journey(
    'a deal is paid in cryptocurrency, held when its network confirms it, and refunded to the wallet',
    async () => {
      const deal = await Deal.open()
      const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
      const body = { method: 'crypto', cryptoAsset: 'ethereum', walletAddress: wallet }
      await deal.buyer.refused(400, 'VALIDATION_FAILED', 'POST', `${deal.path}/payments`, {
        body: { ...body, cryptoAsset: 'bitcoin' },
        key: randomUUID(),
      })
      const payment = await deal.buyer.expect(201, 'POST', `${deal.path}/payments`, { body, key: randomUUID() })
      assert.equal(payment.total, '121.80')
      assert.equal(payment.cryptoPayment.assetCurrency, 'ETH')
      await control('POST', `/crypto/${payment.depositAddress}/send`, {})
      await eventually('the transfer is seen', async () => {
        const { cryptoPayment } = await deal.buyer.expect(200, 'GET', `${deal.path}/payment`)
        return cryptoPayment.stage === 'seen'
      })
      await deal.reaches('secured')
      await control('POST', `/crypto/${payment.depositAddress}/confirm`, {})
      await deal.reaches('paid')
      await deal.seller.expect(200, 'POST', `${deal.path}/refund`)
      await eventually('the money has left for the wallet', async () => {
        const withdrawals = await control('GET', '/withdrawals')
        return withdrawals.some(
          ({ destination, amounts }) => destination.address === wallet && amounts.baseAmount === '121.80',
        )
      })
      await eventually('the refund is confirmed', async () => {
        const ledger = moves(await deal.ledgerFor(deal.buyer))
        return ledger.includes('refund_due → crypto_clearing 121.80')
      })
    },
  ),
]
