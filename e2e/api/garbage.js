import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Deal, listingBody } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { eventually } from '../support/eventually.js'
import { example, operations, UNKNOWN_ID, violates } from '../support/openapi.js'
import { passkeyFields } from '../support/passkey.js'
import { PASSWORD, Person } from '../support/person.js'
import { documents, pngDataUrl } from '../support/picture.js'
import { journey } from '../support/runner.js'

/** Unusual values for a field. One that the field's schema does not allow must be refused with the field's name. */
const ODD_VALUES = [
  null,
  {},
  [],
  [[]],
  0,
  -1,
  1e308,
  true,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'x'.repeat(10_000),
  '１２',
  "'; DROP TABLE users; --",
  { $ne: null },
  '__proto__',
]
/** Bodies that are not a JSON object. */
const ODD_BODIES = ['', '{', 'null', '[]', '"text"', '7', '{"a":1}{', '{"__proto__":{"admin":true}}', '\ufeff{}']

/** Those that a route reads as an empty object when its body may be left out. */
const EMPTY_BODIES = ['', '\ufeff{}']

/** The codes of refusals that name fields. */
const REFUSALS_OF_FIELDS = ['VALIDATION_FAILED', 'AMOUNT_INVALID']

/** Valid values by field; the other fields of a body are made from its schema. */
const known = deal => ({
  ...listingBody(),
  ...documents(),
  ...passkeyFields(),
  email: `odd.${randomUUID()}@example.com`,
  username: `odd.${randomUUID().slice(0, 8)}`,
  password: PASSWORD,
  phoneNumber: '555 0100',
  transactionId: deal.id,
  listingId: deal.listing.id,
  amount: '120.00',
  trackingNumber: 'HF00000001',
  content: 'Something to say',
  description: 'Something to say',
  status: 'cancelled',
})

async function writes() {
  const all = await operations()
  return all.filter(operation => operation.body && operation.changes)
}

/** It names no id: each accepted request would change the books. */
const ADJUSTMENT = 'POST /api/admin/ledger/adjustments'
/** It checks the present password first, and says nothing about the new one before. */
const NEW_PASSWORD = 'POST /api/auth/password'
/** Its body may be left out. */
const WITHOUT_BODY = 'POST /api/create-subscription'
const isForAdmins = ({ path }) => path.startsWith('/api/admin/')

/** An id of nothing. What an admin may do to anything is not done by accident in a journey about malformed requests. */
const unknownId = (operation, name) =>
  operation.parameters.find(each => each.name === name)?.schema.type === 'integer' ? '999999999' : UNKNOWN_ID

const send = (person, operation, deal, options) => {
  const path = operation.at(name =>
    isForAdmins(operation)
      ? unknownId(operation, name)
      : ({ id: operation.path.startsWith('/api/listings') ? deal.listing.id : deal.id, userId: person.id }[name] ??
        'x'),
  )
  const needsKey = operation.parameters.some(each => each.in === 'header' && each.required)
  return person.call(operation.method, path, { ...options, ...(needsKey ? { key: randomUUID() } : {}) })
}

export const garbage = [
  journey('a body that is not a JSON object is refused by every write, without a server error', async () => {
    const [deal, mediator] = await Promise.all([Deal.open(), findMediator()])
    // Until the listing is reserved, an empty body is a valid change of it.
    await eventually('the listing follows its deal', async () => {
      const { body } = await deal.seller.call('GET', `/api/listings/${deal.listing.id}`)
      return body.status === 'reserved'
    })
    for (const operation of await writes())
      for (const raw of ODD_BODIES) {
        if (EMPTY_BODIES.includes(raw) && operation.name === WITHOUT_BODY) continue
        const person = isForAdmins(operation) ? mediator : deal.seller
        const { status, text, body } = await send(person, operation, deal, { raw })
        assert.ok(
          status >= 400 && status < 500,
          `${operation.name} answered ${status} to ${JSON.stringify(raw)}: ${text}`,
        )
        assert.equal(typeof body.code, 'string')
      }
    assert.equal(await deal.status(), 'pending')
  }),

  journey('every write names the fields that are missing', async () => {
    const [deal, mediator] = await Promise.all([Deal.open(), findMediator()])
    for (const operation of await writes()) {
      const person = isForAdmins(operation) ? mediator : deal.seller
      const { status, text, body } = await send(person, operation, deal, { body: {} })
      const required = operation.body.required ?? []
      if (required.length === 0) continue
      assert.equal(status, 400, `${operation.name} answered ${status} to an empty body: ${text}`)
      for (const field of required)
        assert.ok(body.details.fields[field], `${operation.name} does not name ${field}: ${text}`)
    }
  }),

  journey(
    'every write refuses by its name a field that its schema does not allow, and answers no odd value with a server error',
    async () => {
      const [deal, mediator] = await Promise.all([Deal.open(), findMediator()])
      for (const operation of await writes()) {
        if (operation.name === ADJUSTMENT || operation.name === NEW_PASSWORD) continue
        // The status of a dispute that a mediator takes, and not of a deal.
        const valid = isForAdmins(operation) ? { ...known(deal), status: 'investigating' } : known(deal)
        // Another e-mail address would need the password.
        if (operation.path === '/api/profile') valid.email = deal.seller.email
        // Who signs up or in gets another session.
        const person = isForAdmins(operation) ? mediator : operation.needsSession ? deal.seller : new Person()
        for (const field of Object.keys(operation.body.properties ?? {}))
          await Promise.all(
            ODD_VALUES.map(async value => {
              const body = { ...example(operation.body, valid), [field]: value }
              const answer = await send(person, operation, deal, { body })
              const what = `${operation.name} with ${field} = ${JSON.stringify(value).slice(0, 40)}`
              assert.ok(answer.status < 500, `${what} answered ${answer.status}: ${answer.text}`)
              const { code } = answer.body ?? {}
              if (violates(operation.body.properties[field], value))
                assert.ok(REFUSALS_OF_FIELDS.includes(code), `${what} answered ${answer.status}: ${answer.text}`)
              if (!REFUSALS_OF_FIELDS.includes(code)) return
              assert.equal(answer.status, 400)
              const named = Object.keys(answer.body.details.fields)
              assert.ok(
                named.some(name => name === field || name.startsWith(`${field}.`)),
                `${what} was refused for ${named.join(', ')}`,
              )
            }),
          )
      }
    },
  ),

  journey('every read refuses or ignores a malformed query, without a server error', async () => {
    const [deal, mediator] = await Promise.all([Deal.open(), findMediator()])
    const values = ['', '0', '-1', '1e9', 'NaN', 'null', '\u0000', "'", '%', 'x'.repeat(2_000), '9'.repeat(30)]
    for (const operation of await operations()) {
      if (operation.changes || operation.path === '/api/events') continue
      const person = isForAdmins(operation) ? mediator : deal.buyer
      for (const { name, in: where } of operation.parameters)
        if (where === 'query')
          for (const value of values) {
            const at = operation.at({ id: deal.id, userId: deal.buyer.id, account: `hold:${deal.id}` })
            const path = `${at}?${new URLSearchParams({ q: 'lamp', [name]: value })}`
            const { status, text } = await person.call('GET', path)
            assert.ok(status < 500 && status !== 404, `GET ${path.slice(0, 120)} answered ${status}: ${text}`)
          }
    }
  }),

  journey('a malformed price is refused, and a valid one is kept to the cent', async () => {
    const seller = await Person.signUp('Sam')
    const offer = price => seller.call('POST', '/api/listings', { body: listingBody({ price }) })
    for (const price of [
      '-1',
      '1.005',
      '1e3',
      '0x10',
      'abc',
      '1,5',
      '٣',
      1.005,
      -0.01,
      1e21,
      '99999999999999999.00',
      '',
    ]) {
      const { status, text } = await offer(price)
      assert.equal(status, 400, `${price} answered ${status}: ${text}`)
    }
    for (const [price, kept] of [
      ['19.9', '19.90'],
      [0.1, '0.10'],
      ['00012.50', '12.50'],
      [4800, '4800.00'],
    ]) {
      const { status, body, text } = await offer(price)
      assert.equal(status, 201, `${price} answered ${status}: ${text}`)
      assert.equal(body.price, kept)
    }
  }),

  journey('a file that is not a picture is refused, and so are too many and too large pictures', async () => {
    const seller = await Person.signUp('Sam')
    const offer = images => seller.call('POST', '/api/listings', { body: listingBody({ images }) })
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
      'base64',
    )
    for (const image of [
      `data:image/svg+xml;base64,${script}`,
      `data:image/png;base64,${script}`,
      'data:image/png;base64,iVBORw0KGgo=',
      'data:text/html;base64,PGI+',
      'https://example.com/picture.png',
      'data:image/png;base64,',
      'data:image/png;base64,!!!!',
    ]) {
      const { status, text } = await offer([image])
      assert.equal(status, 400, `${image.slice(0, 40)} answered ${status}: ${text}`)
    }
    const small = pngDataUrl(4, 4, [1, 2, 3])
    assert.equal((await offer(Array(21).fill(small))).status, 400, 'twenty-one pictures')
    assert.equal((await offer([pngDataUrl(8_000, 6_000, [9, 9, 9])])).status, 400, 'forty-eight megapixels')
    assert.equal((await offer(Array(20).fill(small))).status, 201, 'twenty pictures')
  }),

  journey('a request that is too large or not JSON is refused', async () => {
    const deal = await Deal.open()
    const path = '/api/disputes'
    const body = { transactionId: deal.id, reason: 'other', description: 'x'.repeat(1_200_000) }
    const large = await deal.buyer.call('POST', path, { body })
    assert.equal(large.status, 413, large.text)
    const form = await deal.buyer.call('POST', path, {
      raw: 'description=Hello',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(form.status, 415, form.text)
  }),
]
