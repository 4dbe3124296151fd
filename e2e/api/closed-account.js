import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Deal, listingBody } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { findInDatabase, findInLogs, isStored } from '../support/find-text.js'
import { PASSWORD, Person } from '../support/person.js'
import { documents, pngDataUrl } from '../support/picture.js'
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
  }
}

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
  'who signed the terms of a transaction, and as whom': {
    marks: ['firstName', 'lastName'],
    at: ['listing.legal_acceptance.digital_signature'],
  },
  'what was said in a dispute is what its decision rests on': {
    marks: ['dispute'],
    at: ['dispute.dispute.description', 'dispute.evidence.note'],
  },
  'a review stays, without its author': { marks: ['review'], at: ['escrow.review.content'] },
  'the last mail says that the account is closed; its row is deleted after 30 days': {
    marks: ['email', 'username'],
    at: ['identity.mail.recipient'],
  },
  'events and the answers of requests are deleted after 7 days': {
    marks: '*',
    at: ['events.log.payload', '*.idempotency_key.answer'],
  },
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
      (rule.marks === '*' || rule.marks.some(mark => marks[mark] === found.text)) &&
      rule.at.some(pattern => isAt(found, pattern)),
  )

async function signUpWith({ email, username, firstName, lastName }) {
  const person = new Person({ email, username, firstName, lastName })
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

/** Lets the person do everything that leaves data. Resolves with the picture of a listing that had no transaction. */
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
  const images = [pngDataUrl(64, 48, colour)]
  const unsold = await person.expect(201, 'POST', '/api/listings', {
    body: signed(marks, { title: `A lamp, ${marks.unsold}`, description: marks.unsold, images }),
  })
  const hidden = await person.expect(201, 'POST', '/api/listings', {
    body: signed(marks, { title: `A vase, ${marks.unsold}`, isPrivate: true }),
  })
  await person.expect(201, 'POST', `/api/listings/${hidden.id}/invitations`, { body: { inviteeEmail: marks.invited } })
  const sold = await person.expect(201, 'POST', '/api/listings', {
    body: signed(marks, { title: `A clock, ${marks.sold}` }),
  })
  const { id } = await other.expect(201, 'POST', '/api/transactions', {
    body: { listingId: sold.id, amount: sold.price },
  })
  await other.expect(200, 'DELETE', `/api/transactions/${id}`)
  const deal = await Deal.at('paid', {}, { buyer: person, seller: other })
  await person.expect(201, 'POST', `${deal.path}/messages`, { body: { content: marks.chat } })
  const dispute = await person.expect(201, 'POST', '/api/disputes', {
    body: { transactionId: deal.id, reason: 'other', description: `It is late: ${marks.dispute}` },
  })
  await person.expect(200, 'POST', '/api/verification/submit', { body: documents() })
  return { other, deal, dispute, picture: unsold.images[0].split('/').at(-1) }
}

export const closedAccount = [
  journey(
    'a person exports their data, closes their account, and is found nowhere afterwards',
    async () => {
      const marks = newMarks()
      const person = await signUpWith(marks)
      const { other, deal, dispute, picture } = await liveThrough(person, marks)

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
      assert.ok(isStored(picture), 'the picture is stored')
      const { cookie } = person
      await person.expect(202, 'POST', '/api/account/closing', { body: { currentPassword: PASSWORD } })
      await Object.assign(new Person(), { cookie }).refused(401, 'UNAUTHENTICATED', 'POST', '/api/notifications/read')
      await new Person().refused(401, 'INVALID_CREDENTIALS', 'POST', '/api/auth/signin', {
        body: { email: marks.email, password: PASSWORD },
      })
      await mailAbout(marks.email, 'Your account is closed')
      await othersSee(other, person, deal, marks)
      await nothingIsFound(marks, picture)
    },
    { deadlineMs: 120_000 },
  ),
]

/** The export has what the person did, and no secret. */
async function exportHas(person, marks) {
  await person.refused(400, 'VALIDATION_FAILED', 'POST', '/api/account/exports', { body: { currentPassword: 'wrong' } })
  const { token } = await person.expect(201, 'POST', '/api/account/exports', { body: { currentPassword: PASSWORD } })
  const file = await person.call('GET', `/api/account/exports/${token}`)
  assert.equal(file.status, 200)
  for (const [name, mark] of Object.entries(marks))
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

async function nothingIsFound(marks, picture) {
  const texts = Object.values(marks)
  let left = []
  await eventually(
    'nothing of the person is left but what may stay',
    async () => {
      left = (await findInDatabase(texts)).filter(found => !mayStay(found, marks))
      return left.length === 0
    },
    { withinMs: 30_000, everyMs: 2_000 },
  ).catch(() => assert.deepEqual(left, [], 'the database has data of the closed account'))
  const logged = findInLogs(texts).filter(({ log }) => !log.startsWith('sandbox'))
  assert.deepEqual(logged, [], 'a log has data of the closed account')
  await eventually('the picture is removed', () => !isStored(picture), { withinMs: 30_000, everyMs: 1_000 })
}
