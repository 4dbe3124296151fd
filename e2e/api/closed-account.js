import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { Deal, listingBody } from '../support/deal.js'
import { KAFKA_BROKERS, SANDBOX_URL } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { findInDatabase, findInFiles, findInLogs, isStored } from '../support/find-text.js'
import { PASSWORD, Person } from '../support/person.js'
import { documents, pngDataUrl } from '../support/picture.js'
import { documentsOf, publishAgain } from '../support/product-data.js'
import { journey } from '../support/runner.js'
import { codeTo, confirmAddress, mailAbout } from '../support/sandbox.js'

/** Letters and no digits, so that a name may have it. No other text of the product contains it. */
const unique = () => [...randomBytes(6)].map(byte => String.fromCharCode(97 + (byte % 26))).join('')

/** What marks a person: each text is in one kind of data only. */
function newMarks() {
  const tag = unique()
  return {
    firstName: `Zyx${tag}`,
    lastName: `Quor${tag}`,
    username: `zq.${tag}`,
    email: `mail.${tag}@example.com`,
    // As texts know it: profile, number and texts have the same characters.
    phone: `+999${[...randomBytes(4)].map(byte => String(byte).padStart(3, '0')).join('')}`.slice(0, 14),
    place: `Vexmoor Lane ${tag}`,
    // On a listing without a transaction, and on one with a transaction.
    unsold: `unsold${tag}`,
    sold: `sold${tag}`,
    ticket: `ticket${tag}`,
    invited: `guest.${tag}@example.com`,
    chat: `chat${tag}`,
    review: `review${tag}`,
    dispute: `dispute${tag}`,
    evidence: `evidence${tag}`,
    device: `Browser${tag}`,
    push: `push${tag}`,
    inPicture: `camera${tag}`,
  }
}

/** What the export does not have: a secret address, and what pictures are freed of before they are stored. */
const NOT_EXPORTED = ['push', 'inPicture']
/** What an event may say of a person. Events are deleted after 7 days, and by Kafka after 14: nothing more may get into one. */
const MAY_BE_IN_EVENTS = ['firstName', 'lastName', 'username', 'unsold', 'sold', 'place']

/**
 * What may still be found after the account was closed, and why. `*` stands for every schema. Everything else is a fault.
 */
const MAY_STAY = {
  'the terms of a transaction stay with the books: they are what both parties agreed on': {
    marks: ['sold', 'place'],
    at: [
      'escrow.transaction.title',
      'escrow.transaction.terms',
      'escrow.transaction.terms_text',
      'escrow.transaction.search_text',
      'listing.listing.title',
      'listing.listing.description',
      'listing.listing.location',
      'listing.listing.search_text',
      'listing.listing.search',
      'messaging.deals.title',
      'messaging.notifications.message',
      'messaging.notifications.title',
    ],
  },
  'who signed the terms of a transaction, as whom, and with which browser': {
    marks: ['firstName', 'lastName', 'device'],
    at: ['listing.legal_acceptance.digital_signature', 'listing.legal_acceptance.user_agent'],
  },
  'what was said in a dispute is what its decision rests on': {
    marks: ['dispute', 'evidence'],
    at: ['dispute.dispute.description', 'dispute.evidence.note'],
  },
  'a review stays, without its author': { marks: ['review'], at: ['escrow.review.content'] },
  'the last mail says that the account is closed; its row is deleted after 30 days': {
    marks: ['email', 'username'],
    at: ['identity.mail.recipient'],
  },
  'events are deleted after 7 days': { marks: MAY_BE_IN_EVENTS, at: ['events.log.payload'] },
  'the answers of requests are deleted after 7 days': { marks: '*', at: ['*.idempotency_key.answer'] },
  'the sandbox stands in for the mail server, the payment provider and the carrier, which are not ours': {
    marks: '*',
    at: ['sandbox.*'],
  },
}

const isAt = ({ table, column }, pattern) => {
  const [schema, name] = table.split('.')
  const parts = pattern.split('.')
  return (parts[0] === '*' || parts[0] === schema) && (parts[1] === '*' || (parts[1] === name && parts[2] === column))
}

const mayStay = (found, marks) =>
  Object.values(MAY_STAY).some(
    rule =>
      (typeof rule.marks === 'string' || rule.marks.some(mark => marks[mark] === found.text)) &&
      rule.at.some(pattern => isAt(found, pattern)),
  )

async function signUpWith({ email, username, firstName, lastName, device }) {
  const person = new Person({ email, username, firstName, lastName, userAgent: device })
  const { user } = await person.expect(201, 'POST', '/api/auth/signup', {
    body: { email, password: PASSWORD, firstName, lastName, username },
  })
  return Object.assign(person, { id: user.id })
}

/** Listings as the person signs them. */
const signed = (marks, more) => {
  const body = listingBody({ location: marks.place, ...more })
  return {
    ...body,
    legalAcceptance: { ...body.legalAcceptance, digitalSignature: `${marks.firstName} ${marks.lastName}` },
  }
}

/** A browser that gets push messages: an address with the mark, and new keys. */
function pushSubscription(mark) {
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  return { endpoint: `http://127.0.0.1:${new URL(SANDBOX_URL).port}/push/${mark}`, keys }
}

/** Lets the person do everything that leaves data. Resolves with the stored objects that must go: a picture and identity documents. */
async function liveThrough(person, marks) {
  const other = await Person.signUp('Otto')
  const { email, username, firstName, lastName } = marks
  await person.expect(200, 'PUT', '/api/profile', {
    body: { email, username, firstName, lastName, phoneNumber: marks.phone },
  })
  await confirmAddress(person)
  await person.expect(204, 'POST', '/api/phone/code')
  const { isConfirmed } = await person.expect(200, 'POST', '/api/phone/confirm', {
    body: { code: await codeTo(marks.phone) },
  })
  assert.ok(isConfirmed, 'the phone number is confirmed')
  await person.expect(201, 'POST', '/api/push/subscriptions', { body: pushSubscription(marks.push) })
  const settings = await person.expect(200, 'GET', '/api/notifications/settings')
  await person.expect(200, 'PUT', '/api/notifications/settings', { body: { ...settings, emailNotifications: false } })
  await person.expect(204, 'POST', '/api/contacts', { body: { userId: other.id } })
  await other.expect(204, 'POST', '/api/contacts', { body: { userId: person.id } })
  await person.expect(201, 'POST', '/api/support/tickets', {
    body: {
      name: `${firstName} ${lastName}`,
      email,
      subject: marks.ticket,
      message: marks.ticket,
      category: 'general',
    },
  })
  const colour = [...randomBytes(3)]
  const images = [pngDataUrl(64, 48, colour, marks.inPicture)]
  const unsold = await person.expect(201, 'POST', '/api/listings', {
    body: signed(marks, { title: `A lamp, ${marks.unsold}`, description: marks.unsold, images }),
  })
  const hidden = await person.expect(201, 'POST', '/api/listings', {
    body: signed(marks, { title: `A vase, ${marks.unsold}`, isPrivate: true }),
  })
  await person.expect(201, 'POST', `/api/listings/${hidden.id}/invitations`, { body: { inviteeEmail: marks.invited } })
  const sold = await person.expect(201, 'POST', '/api/listings', {
    body: signed(marks, { title: `A clock, ${marks.sold}`, images: [pngDataUrl(80, 60, colour, marks.inPicture)] }),
  })
  const { id } = await other.expect(201, 'POST', '/api/transactions', {
    body: { listingId: sold.id, amount: sold.price },
  })
  await other.expect(200, 'DELETE', `/api/transactions/${id}`)
  const deal = await Deal.at('paid', {}, { buyer: person, seller: other })
  await person.expect(201, 'POST', `${deal.path}/messages`, {
    body: { content: marks.chat, images: [pngDataUrl(40, 30, colour, marks.inPicture)] },
  })
  const dispute = await person.expect(201, 'POST', '/api/disputes', {
    body: { transactionId: deal.id, reason: 'other', description: `It is late: ${marks.dispute}` },
  })
  await person.expect(201, 'POST', `/api/disputes/${dispute.id}/evidence`, {
    body: { note: marks.evidence, images: [pngDataUrl(50, 40, colour, marks.inPicture)] },
  })
  await person.expect(200, 'POST', '/api/verification/submit', { body: documents(marks.inPicture) })
  const objects = [unsold.images[0].split('/').at(-1), ...(await documentsOf(person.id))]
  return { other, deal, dispute, objects }
}

export const closedAccount = [
  journey('a person exports their data, closes their account, and is found nowhere afterwards', async () => {
    const marks = newMarks()
    const person = await signUpWith(marks)
    const { other, deal, dispute, objects } = await liveThrough(person, marks)

    const inTheWay = await person.refused(409, 'ACCOUNT_IN_USE', 'POST', '/api/account/closing', {
      body: { currentPassword: PASSWORD },
    })
    const kinds = inTheWay.details.obstacles.map(({ kind }) => kind)
    assert.deepEqual(new Set(kinds), new Set(['open_deal', 'open_dispute']))
    await person.expect(200, 'POST', `/api/disputes/${dispute.id}/withdraw`)
    await deal.reaches('paid')
    await deal.ship()
    await deal.deliver()
    await deal.accept()
    await person.expect(201, 'POST', `${deal.path}/review`, { body: { rating: 4, text: marks.review } })

    await exportHas(person, marks)
    assert.equal(objects.length, 4)
    for (const each of objects) assert.ok(isStored(each), 'a picture or document is stored')
    const { cookie } = person
    await person.expect(202, 'POST', '/api/account/closing', { body: { currentPassword: PASSWORD } })
    await Object.assign(new Person(), { cookie }).refused(401, 'UNAUTHENTICATED', 'POST', '/api/notifications/read')
    await new Person().refused(401, 'INVALID_CREDENTIALS', 'POST', '/api/auth/signin', {
      body: { email: marks.email, password: PASSWORD },
    })
    await mailAbout(marks.email, 'Your account is closed')
    await othersSee(other, person, deal, marks)
    await nothingIsFound(marks, objects)
    const { count, dead } = await publishAgain(person.id)
    assert.ok(count > 5, 'the events of the person are published again')
    assert.deepEqual(dead, [], 'an event that comes late could not be handled')
    await nothingIsFound(marks, objects)
  }),
]

/** The export has what the person did, and no secret. */
async function exportHas(person, marks) {
  await person.refused(400, 'VALIDATION_FAILED', 'POST', '/api/account/exports', { body: { currentPassword: 'wrong' } })
  const { token } = await person.expect(201, 'POST', '/api/account/exports', { body: { currentPassword: PASSWORD } })
  const file = await person.call('GET', `/api/account/exports/${token}`)
  assert.equal(file.status, 200)
  for (const [name, mark] of Object.entries(marks).filter(([name]) => !NOT_EXPORTED.includes(name)))
    assert.ok(file.text.includes(mark), `the export has the mark of ${name}`)
  assert.deepEqual([file.body.format, file.body.version], ['holdfast-personal-data', 1])
  assert.equal(file.body.messages[0].content, marks.chat, 'messages are readable')
  assert.equal(file.text.match(/"(passwordHash|tokenHash|wrappedKey|sealed)"/), null)
  await person.refused(404, 'NOT_FOUND', 'GET', `/api/account/exports/${token}`)
}

/** The other party keeps the transaction and the chat. The name is gone. */
async function othersSee(other, person, deal, marks) {
  const closed = { firstName: 'Closed account', lastName: '' }
  await eventually(
    'the other party sees a closed account',
    async () => {
      const { buyer } = await deal.seenBy(other)
      return buyer.firstName === closed.firstName && buyer.lastName === closed.lastName
    },
    { withinMs: 60_000 },
  )
  const chat = await other.expect(200, 'GET', `${deal.path}/messages`)
  assert.ok(
    chat.some(({ content }) => content === marks.chat),
    'the chat stays for the other party',
  )
  const { saved } = await other.expect(200, 'GET', '/api/contacts')
  assert.equal(saved.find(({ id }) => id === person.id).firstName, closed.firstName)
  await new Person().refused(404, 'NOT_FOUND', 'GET', `/api/sellers/${marks.username}`)
  await new Person().refused(409, 'USERNAME_TAKEN', 'POST', '/api/auth/signup', {
    body: {
      email: `new.${marks.email}`,
      password: PASSWORD,
      firstName: 'New',
      lastName: 'Person',
      username: marks.username,
    },
  })
}

async function nothingIsFound(marks, objects) {
  const texts = Object.values(marks)
  let left = []
  await eventually(
    'nothing of the person is left but what may stay',
    async () => {
      left = (await findInDatabase(texts)).filter(found => !mayStay(found, marks))
      return left.length === 0
    },
    { withinMs: 30_000, everyMs: 2_000 },
  ).catch(error => {
    assert.deepEqual(left, [], 'the database has data of the closed account')
    throw error
  })
  const logged = findInLogs(texts).filter(({ log }) => !log.startsWith('sandbox'))
  assert.deepEqual(logged, [], 'a log has data of the closed account')
  const areGone = () => !objects.some(isStored)
  await eventually('the picture and the documents are removed', areGone, { withinMs: 30_000, everyMs: 1_000 })
  for (const engine of ['files', 's3', 'redis'])
    assert.deepEqual(findInFiles(engine, texts), [], `${engine} has data of the closed account`)
  const inKafka = findInFiles('kafka', texts)
  if (KAFKA_BROKERS) assert.ok(inKafka.includes(marks.sold), 'the search finds what Kafka keeps for 14 days')
  const unexpected = Object.keys(marks).filter(
    name => inKafka.includes(marks[name]) && !MAY_BE_IN_EVENTS.includes(name),
  )
  assert.deepEqual(unexpected, [], 'Kafka has data of the closed account that no event may have')
}
