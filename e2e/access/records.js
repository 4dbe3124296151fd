import { randomBytes, randomUUID } from 'node:crypto'
import { Deal, listingBody } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { addPasskey } from '../support/passkey.js'
import { Person } from '../support/person.js'
import { documents, pngDataUrl } from '../support/picture.js'
import { control } from '../support/sandbox.js'
import { WALLET } from '../support/wallet.js'
import { ADMINS } from './actors.js'

const PARTIES = { buyer: 'buyer', seller: 'seller' }
const MEDIATORS = Object.fromEntries(ADMINS.map(name => [name, 'admin']))
/** Everybody but the seller can be the buyer of what is public. */
const ANYBODY = new Proxy({ seller: 'seller' }, { get: (own, name) => own[name] ?? 'buyer' })
const EVERYONE = new Proxy({}, { get: () => 'everyone' })
const OWN = { buyer: 'self' }

/** An unmistakable word, which no other text of the product contains. */
const word = () => `q${randomBytes(6).toString('hex')}`

/**
 * Makes the records that the matrix asks for: a private listing, its deal with parcel, chat, dispute and evidence, and the others.
 *
 * `marks` are words that only some people may read: `{ what, text, for }`, with the names of the actors. `samples` has for each kind of
 * record (`libs/contracts/src/record.ts`) the records to ask for: `{ title, values, people }`, the values by the name of their parameter,
 * and what each actor is to the record. Somebody who is not named may not know that it exists: they get the answer for `nothing`, the
 * same values but for one that names nothing.
 */
export async function makeRecords({ buyer, seller, stranger, suspended, signedOut, admin }) {
  const marks = []
  const mark = (what, ...readers) => {
    const text = word()
    marks.push({ what, text, for: readers })
    return text
  }
  const picture = () => pngDataUrl(60, 40, [...randomBytes(3)])
  const offer = more =>
    seller.expect(201, 'POST', '/api/listings', { body: listingBody({ images: [picture()], ...more }) })

  const terms = { title: mark('the title of a private listing', 'buyer', 'seller'), isPrivate: true }
  const location = mark('the place of a private listing', 'buyer', 'seller')
  const [listing, invited, linked, sold, saleable, ownOfStranger, bareDeal] = await Promise.all([
    offer({ ...terms, location, selectedUserId: buyer.id }),
    offer({ title: mark('the title of a listing for invited people', 'seller'), isPrivate: true }),
    offer({ title: `For whoever has the link ${word()}`, isPrivate: true }),
    offer({ title: `Public ${word()}` }),
    offer({ title: `Public ${word()}` }),
    stranger.expect(201, 'POST', '/api/listings', { body: listingBody({ isPrivate: true }) }),
    Deal.open({}, { buyer, seller }),
  ])
  const deal = new Deal(listing.transaction.id, buyer, seller, listing)
  const phone = `+1 902 ${String(randomBytes(4).readUInt32BE()).padStart(10, '0')}`
  marks.push({ what: 'the seller’s phone number', text: phone, for: ['seller'] })
  const invite = (body, { id } = invited) => seller.expect(201, 'POST', `/api/listings/${id}/invitations`, { body })
  const { firstName, lastName, username, email } = seller
  const [mailed, link, ownInvitation, session] = await Promise.all([
    invite({
      inviteeEmail: `${mark('an invited address', 'seller')}@example.com`,
      message: mark('an invitation', 'seller'),
    }),
    invite({}, linked),
    stranger.expect(201, 'POST', `/api/listings/${ownOfStranger.id}/invitations`, { body: {} }),
    Person.signIn(buyer.email, 'correct horse battery').then(second => sessionOf(second)),
    seller.expect(200, 'PUT', '/api/profile', { body: { firstName, lastName, username, email, phoneNumber: phone } }),
    buyer.expect(204, 'POST', '/api/users/blocked', { body: { userId: suspended.id } }),
    buyer.expect(204, 'POST', '/api/contacts', { body: { userId: suspended.id } }),
  ])
  // An unpaid deal is cancelled after a day, which may be shorter than the matrix takes. One that waits for cryptocurrency has five.
  const inCrypto = { method: 'crypto', cryptoAsset: 'bitcoin', walletAddress: WALLET }
  await buyer.expect(201, 'POST', `${bareDeal.path}/payments`, { body: inCrypto, key: randomUUID() })
  await deal.pay()
  await deal.ship()
  marks.push({ what: 'the tracking number', text: deal.trackingNumber, for: ['buyer', 'seller'] })
  for (const party of ['buyer', 'seller'])
    marks.push({ what: `the ${party}’s address`, text: deal[party].email, for: ['buyer', 'seller'] })
  const content = mark('a message of the chat', 'buyer', 'seller')
  const message = await buyer.expect(201, 'POST', `${deal.path}/messages`, { body: { content, images: [picture()] } })
  const passkey = await addPasskey(seller)
  const [enquiry, refund] = await Promise.all([enquiryOf(buyer, admin), refundOf(admin)])
  await seller.expect(200, 'POST', '/api/verification/submit', { body: documents() })
  const { publicKey } = await buyer.expect(200, 'GET', '/api/push')
  const subscription = await control('POST', '/push', { serverKey: publicKey })
  const browser = await buyer.expect(201, 'POST', '/api/push/subscriptions', { body: subscription })
  const description = mark('the reason of a dispute', 'buyer', 'seller')
  const filing = { transactionId: deal.id, reason: 'other', description }
  const dispute = await buyer.expect(201, 'POST', '/api/disputes', { body: filing })
  const note = mark('a note of the evidence', 'buyer', 'seller')
  const evidence = { note, images: [picture()] }
  await seller.expect(201, 'POST', `/api/disputes/${dispute.id}/evidence`, { body: evidence })
  const [payment] = await buyer.expect(200, 'GET', `/api/payments?transactionId=${deal.id}`)
  const hashOf = ({ images }) => images[0].split('/').at(-1)
  const absentUser = randomUUID().replace(/^.{14}./, '01900000-0000-7')

  return {
    deal,
    marks,
    samples: {
      deal: [
        { title: 'a disputed deal', values: { id: deal.id, transactionId: deal.id }, people: PARTIES },
        { title: 'a deal that is not paid', values: { id: bareDeal.id, transactionId: bareDeal.id }, people: PARTIES },
      ],
      heldMoney: [{ title: 'a deal', values: { id: deal.id }, people: MEDIATORS }],
      parcel: [{ title: 'a parcel', values: { trackingNumber: deal.trackingNumber }, people: PARTIES }],
      payment: [
        { title: 'the receipt of a payment', values: { paymentId: payment.paymentId }, people: { buyer: 'buyer' } },
      ],
      dispute: [{ title: 'a dispute', values: { id: dispute.id }, people: { ...PARTIES, ...MEDIATORS } }],
      filing: [{ title: 'a dispute', values: { id: dispute.id }, people: { buyer: 'reporter', seller: 'seller' } }],
      evidenceImage: [
        {
          title: 'a picture of the evidence',
          values: { id: dispute.id, n: 1, index: 0 },
          people: { ...PARTIES, ...MEDIATORS },
        },
      ],
      messageImage: [
        {
          title: 'a picture of the chat',
          values: { id: deal.id, messageId: message.id, index: 0 },
          people: PARTIES,
        },
      ],
      disputeMessageImage: [
        {
          title: 'a picture of the chat',
          values: { id: dispute.id, messageId: message.id, index: 0 },
          people: MEDIATORS,
        },
      ],
      listing: [
        { title: 'a private listing in a deal', values: { id: listing.id, listingId: listing.id }, people: PARTIES },
        { title: 'a private listing', values: { id: invited.id, listingId: invited.id }, people: { seller: 'seller' } },
        { title: 'a public listing', values: { id: sold.id, listingId: saleable.id }, people: ANYBODY, isPublic: true },
      ],
      picture: [
        { title: 'a picture of a private listing', values: { hash: hashOf(listing), width: 320 }, people: PARTIES },
        {
          title: 'a picture of a public listing',
          values: { hash: hashOf(sold), width: 320 },
          people: ANYBODY,
          isPublic: true,
        },
      ],
      invitation: [
        { title: 'an invitation', values: { id: invited.id, invitationId: mailed.id }, people: { seller: 'seller' } },
        {
          title: 'an invitation below a listing of another owner',
          values: { id: ownOfStranger.id, invitationId: mailed.id },
          nothing: { id: ownOfStranger.id },
          people: {},
        },
        {
          title: 'another’s invitation below a listing',
          values: { id: invited.id, invitationId: ownInvitation.id },
          nothing: { id: invited.id },
          people: {},
        },
      ],
      invitationLink: [
        { title: 'the link of an invitation', values: { token: link.token }, people: ANYBODY, isPublic: true },
      ],
      profile: [
        {
          title: 'a user',
          values: { userId: signedOut.id, username: signedOut.username },
          people: EVERYONE,
          isPublic: true,
        },
      ],
      ownList: [{ title: 'one’s own list', values: { userId: buyer.id }, people: OWN }],
      contact: [{ title: 'a saved person', values: { userId: suspended.id }, people: OWN }],
      session: [{ title: 'a session', values: { sessionId: session }, people: OWN }],
      pushBrowser: [{ title: 'a browser with push messages', values: { subscriptionId: browser.id }, people: OWN }],
      blockedUser: [{ title: 'a blocked user', values: { userId: suspended.id }, people: OWN }],
      // None is configured, so every name is answered as an unknown one.
      signInProvider: [{ title: 'a provider that is not configured', values: { provider: 'google' }, people: {} }],
      account: [{ title: 'an account', values: { userId: suspended.id }, people: MEDIATORS }],
      ledgerAccount: [{ title: 'an account of the ledger', values: { account: `hold:${deal.id}` }, people: MEDIATORS }],
      passkey: [{ title: 'a passkey', values: { passkeyId: passkey }, people: { seller: 'self' } }],
      enquiry: [{ title: 'an enquiry', values: { id: enquiry }, people: MEDIATORS }],
      verification: [{ title: 'a verification', values: { userId: seller.id }, people: MEDIATORS }],
      refund: [{ title: 'a refund', values: { id: refund }, people: MEDIATORS }],
      // Only a bank account that works gets a payout. Everybody asks for one that does not exist.
      ownPayout: [],
      // Each can be used once: the journey of a closed account tests it.
      dataExport: [],
      // Only a browser saves one, at the provider. Everybody asks for one that does not exist.
      savedCard: [],
      // The matrix makes none of these. To everybody but an admin, each of their routes does not exist, whatever the id.
      payout: [],
      approval: [],
      deadLetter: [],
      providerEvent: [],
    },
    /** Values that name nothing. A number is another one each time: two requests of one person about one thing can be in each other's way. */
    absent: {
      get id() {
        return nextAbsent()
      },
      get transactionId() {
        return nextAbsent()
      },
      get listingId() {
        return nextAbsent()
      },
      uuid: absentUser,
      trackingNumber: 'HF0000000000',
      hash: '0'.repeat(64),
      width: 320,
      n: 1,
      index: 0,
      token: word(),
      username: word(),
      userId: absentUser,
      invitationId: absentUser,
      sessionId: absentUser,
      passkeyId: absentUser,
      cardId: 'pm_absent',
      paymentId: absentUser,
      payoutId: absentUser,
      messageId: absentUser,
      subscriptionId: absentUser,
      provider: 'nobody',
      account: 'hold:999999999',
    },
  }
}

let lastAbsent = 900_000_000
const nextAbsent = () => ++lastAbsent

/** The id of an enquiry, as an operator finds it by the number that the person was told. */
async function enquiryOf({ email }, admin) {
  const body = { name: 'Bea', email, subject: 'A question', message: 'How does it work?', category: 'general' }
  const { number } = await new Person().expect(201, 'POST', '/api/support/tickets', { body })
  const [{ id }] = await admin.expect(200, 'GET', `/api/admin/enquiries?q=${number}`)
  return id
}

/** The id of a refund that the seller of another deal has made. */
async function refundOf(admin) {
  const { id: transactionId, seller } = await Deal.at('paid')
  await seller.expect(200, 'POST', `/api/transactions/${transactionId}/refund`)
  return eventually('an operator finds the refund', async () => {
    const refunds = await admin.expect(200, 'GET', '/api/admin/refunds')
    return refunds.find(refund => refund.transactionId === transactionId)?.id
  })
}

async function sessionOf(person) {
  const sessions = await person.expect(200, 'GET', '/api/auth/sessions')
  return sessions.find(({ current }) => current).id
}
