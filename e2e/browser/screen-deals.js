import { Deal, listingBody } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { Person } from '../support/person.js'
import { pngDataUrl } from '../support/picture.js'
import { confirmAddress } from '../support/sandbox.js'

const PICTURES = [
  pngDataUrl(600, 400, [176, 133, 53]),
  pngDataUrl(600, 400, [47, 74, 64]),
  pngDataUrl(300, 400, [125, 47, 38]),
]
const LONG_TITLE = 'Marine chronometer with its gimballed mahogany box, key, and the maker’s certificate of 1902'

/** Two people with a deal in every status, a new user, a mediator, and two listings without a deal: on sale and withdrawn. */
export async function prepareScreens() {
  const [buyer, seller, newcomer, admin] = await Promise.all([
    Person.signUp('Beatrice', 'Montgomery-Featherstone'),
    Person.signUp('Sebastian', 'Oyelaran'),
    Person.signUp('Nora', 'New'),
    findMediator(),
  ])
  const people = { buyer, seller }
  // A payment by bank needs it.
  await confirmAddress(buyer)
  const offer = more => ({ images: PICTURES, ...more })
  const active = await seller.expect(201, 'POST', '/api/listings', { body: listingBody(offer({ price: '4800.00' })) })
  const offSale = await seller.expect(201, 'POST', '/api/listings', { body: listingBody(offer()) })
  await seller.expect(204, 'DELETE', `/api/listings/${offSale.id}`)
  const hidden = await seller.expect(201, 'POST', '/api/listings', { body: listingBody(offer({ isPrivate: true })) })
  const invitation = await seller.expect(201, 'POST', `/api/listings/${hidden.id}/invitations`, {
    body: { inviteeEmail: buyer.email, message: 'The chronometer that we spoke about.' },
  })
  // In two steps, because a buyer may have five unpaid purchases at a time.
  const [completed, inspection, shipped, asIs] = await Promise.all([
    Deal.at('completed', offer(), people),
    Deal.at('inspection', offer({ title: LONG_TITLE, price: '12345.67', inspectionPeriod: 7 }), people),
    Deal.at('shipped', offer(), people),
    Deal.at('shipped', offer({ inspectionPeriod: 0 }), people),
  ])
  await buyer.expect(201, 'POST', `${completed.path}/review`, {
    body: { rating: 5, text: 'Packed like an egg, and exactly as described.' },
  })
  const [disputed, in_progress, cancelled, paid, named] = await Promise.all([
    Deal.at('shipped', offer(), people).then(dispute),
    Deal.at('paid', offer(), people).then(handOver),
    Deal.at('paid', offer(), people).then(refund),
    Deal.at('paid', offer({ images: [] }), people).then(talk),
    Deal.naming(offer(), people).then(payFor),
  ])
  const [receipt] = await buyer.expect(200, 'GET', `/api/payments?transactionId=${cancelled.id}`)
  return {
    people: { visitor: undefined, newcomer, buyer, seller, admin },
    deals: {
      active,
      offSale,
      hidden,
      invitation,
      completed,
      inspection,
      shipped,
      asIs,
      disputed,
      in_progress,
      cancelled,
      paid,
      named,
      receipt,
    },
  }
}

/** The unpaid deal that each role has looked at last. */
const pending = new Map()

/**
 * An unpaid deal is cancelled after a day, which may be short here. So each check opens a new one. The role's last one is
 * cancelled first, because a buyer may have five unpaid purchases at a time, and fewer after letting some lapse. The seller
 * cancels it: a buyer who cancels often may have fewer, too.
 */
export async function openPending(role, { buyer, seller }) {
  const last = pending.get(role)
  if (last) await seller.call('DELETE', last.path)
  const deal = await Deal.open({ images: PICTURES }, { buyer, seller })
  pending.set(role, deal)
  return deal
}

async function dispute(deal) {
  const body = {
    transactionId: deal.id,
    reason: 'item_not_as_described',
    description: 'The glass is cracked across the dial.',
  }
  const { id } = await deal.buyer.expect(201, 'POST', '/api/disputes', { body })
  deal.disputeId = id
  const evidence = { note: 'The crack runs from 2 to 7.' }
  await deal.buyer.expect(201, 'POST', `/api/disputes/${id}/evidence`, { body: evidence })
  await deal.buyer.expect(200, 'POST', `/api/disputes/${id}/settlement`, { body: { refundAmount: '40.00' } })
  return deal
}

async function handOver(deal) {
  await deal.seller.expect(200, 'PATCH', deal.path, { body: { status: 'in_progress' } })
  return deal
}

async function payFor(deal) {
  await deal.pay()
  return deal
}

async function refund(deal) {
  await deal.seller.expect(200, 'POST', `${deal.path}/refund`)
  return deal
}

async function talk(deal) {
  const say = (person, content) => person.expect(201, 'POST', `${deal.path}/messages`, { body: { content } })
  await say(deal.buyer, 'Hello! Could you pack it with the lid screwed down, please?')
  await say(
    deal.seller,
    'Of course. I have done this a few times: foam inside, a second box outside, and “this side up” on all of them.',
  )
  await say(deal.buyer, `Thank you. ${'A-very-long-word-that-somebody-pasted'.repeat(4)}`)
  return deal
}
