import { userRegistered, userUpdated } from '@holdfast/contracts/events'
import type { Listing } from '@holdfast/contracts/listings'
import { newEvent } from '@holdfast/events/event'
import { newId } from '@holdfast/kernel/ids'
import { redeliverAll } from '@holdfast/testing/event-log'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type pg from 'pg'
import { ListingService, listingInput, person, pictureUrl } from '../testing/listing-service.js'
import { ListingsReader, MAX_BATCH, READ_POOL } from './listings.reader.js'

const [ana, ben, eve] = [person('Ana'), person('Ben'), person('Eve')]

let service: ListingService
beforeAll(async () => {
  service = await ListingService.start()
}, 30_000)
afterAll(() => service?.stop())

describe('creating a listing', () => {
  it('answers the listing with its seller, and what a deal would freeze', async () => {
    const { status, body } = await service.create(ana, { location: '  Berlin ', inspectionPeriod: 3 })
    expect(status).toBe(201)
    expect(body.listing).toMatchObject({
      title: 'A lamp',
      price: '120.50',
      currency: 'USD',
      status: 'active',
      isPrivate: false,
      location: 'Berlin',
      sellerId: ana.id,
      seller: ana.user,
      escrowDays: 3,
      inspectionPeriod: 3,
      returnPolicy: 'no-returns',
      images: [],
    })
    expect(body.terms).toMatchObject({
      listingId: body.listing.id,
      sellerId: ana.id,
      price: '120.50',
      inspectionDays: 3,
      signedBy: 'seller',
      deal: null,
    })
    expect((await service.get(body.listing.id)).body).toEqual(body.listing)
  })

  it('keeps what was signed, by whom, from where, and when it came', async () => {
    const { id } = await service.created(ben)
    const { rows } = await service.database.admin.query(
      'SELECT * FROM listing.legal_acceptance WHERE listing_id = $1',
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      signer_id: ben.id,
      signed_as: 'seller',
      agreements_version: '2026-11',
      terms_accepted: true,
      escrow_agreement: true,
      harmless_clause: true,
      digital_signature: 'Ana Test',
      signature_date: '2026-11-20T10:00:00.000+02:00',
      client_ip: '203.0.113.7',
      user_agent: 'Test browser',
    })
    expect(Date.now() - rows[0].received_at.getTime()).toBeLessThan(10_000)
  })

  it('keeps it so that the service itself could not change it', async () => {
    const { rows } = await service.database.admin.query(
      `SELECT p FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p
        WHERE has_table_privilege('listing_svc', 'listing.legal_acceptance', p)`,
    )
    expect(rows.map(row => row.p)).toEqual(['SELECT', 'INSERT'])
  })

  it('tells the others, with the terms', async () => {
    const { body } = await service.create(ana)
    expect(await service.written(body.listing.id)).toMatchObject([
      {
        type: 'listing.listing.created.v1',
        payload: { listingId: body.listing.id, sellerId: ana.id, terms: body.terms },
      },
    ])
  })

  it('for a counterparty makes it private, with the deal in its terms', async () => {
    const { body } = await service.create(ana, { isPrivate: false }, { counterparty: ben })
    expect(body.listing.isPrivate).toBe(true)
    expect(body.terms.deal).toEqual({ sellerId: ana.id, buyerId: ben.id, openedBy: ana.id })
  })

  it('as the buyer makes it the counterparty’s', async () => {
    const { body } = await service.create(ana, { userRole: 'buyer' }, { counterparty: ben })
    expect(body.listing).toMatchObject({ sellerId: ben.id, seller: ben.user, isPrivate: true })
    expect(body.terms).toMatchObject({
      signedBy: 'buyer',
      deal: { sellerId: ben.id, buyerId: ana.id, openedBy: ana.id },
    })
  })

  it('as the buyer without a counterparty is refused', async () => {
    const answer = await service.create(ana, { userRole: 'buyer' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'COUNTERPARTY_REQUIRED' } })
  })

  it('with oneself is refused', async () => {
    const answer = await service.create(ana, {}, { counterparty: ana })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { selectedUserId: expect.any(String) } } } })
  })

  it.each([
    ['0', 'AMOUNT_INVALID'],
    ['0.00', 'AMOUNT_INVALID'],
    ['1.005', 'AMOUNT_INVALID'],
    ['1000000000.01', 'AMOUNT_INVALID'],
    ['-1', 'VALIDATION_FAILED'],
    ['1e3', 'VALIDATION_FAILED'],
    ['', 'VALIDATION_FAILED'],
  ])('at the price %j is refused, naming the field', async (price, code) => {
    const { status, body } = await service.create<{ code: string; details: { fields: object } }>(ana, { price })
    expect({ status, code: body.code }).toEqual({ status: 400, code })
    expect(Object.keys(body.details.fields)).toEqual([code === 'AMOUNT_INVALID' ? 'price' : 'listing.price'])
  })

  it.each([
    ['0.01', '0.01'],
    [12, '12.00'],
    ['1000000000', '1000000000.00'],
  ])('at the price %j is fine', async (price, kept) => {
    expect((await service.created(ana, { price })).price).toBe(kept)
  })

  it('needs every agreement', async () => {
    const { legalAcceptance } = listingInput()
    for (const left of ['termsAccepted', 'escrowAgreement', 'harmlessClause']) {
      const answer = await service.create(ana, { legalAcceptance: { ...legalAcceptance, [left]: false } })
      expect(answer.status).toBe(400)
    }
  })

  it('is the gateway’s alone to ask, for somebody signed in', async () => {
    const body = { listing: listingInput(), seller: ana.user, counterpartyId: null }
    const ask = (request: object) => service.client.request('POST', '/internal/listings', { body, ...request })
    expect((await ask({ caller: 'escrow-svc', actor: ana.actor })).status).toBe(403)
    expect((await ask({ actor: null })).status).toBe(401)
    expect(await service.client.unsigned('POST', '/internal/listings')).toBe(403)
  })
})

describe('an Idempotency-Key', () => {
  it('makes one listing of two requests, one after the other or at once', async () => {
    const key = newId()
    const images = [await pictureUrl(1)]
    const both = await Promise.all([service.create(ana, { images }, { key }), service.create(ana, { images }, { key })])
    const later = await service.create(ana, { images }, { key })
    expect([...both, later].map(answer => answer.status)).toEqual([201, 201, 201])
    expect(new Set([...both, later].map(answer => JSON.stringify(sorted(answer.body)))).size).toBe(1)
    const { rows } = await service.database.admin.query(
      'SELECT id FROM listing.listing WHERE id >= $1 AND seller_id = $2',
      [later.body.listing.id, ana.id],
    )
    expect(rows).toHaveLength(1)
  })

  it('answers as it was, even when the listing has changed since', async () => {
    const key = newId()
    const first = await service.create(ana, {}, { key })
    await service.change(first.body.listing.id, ana, { title: 'Another lamp' })
    expect((await service.create(ana, {}, { key })).body.listing.title).toBe('A lamp')
  })

  it('is refused with another input', async () => {
    const key = newId()
    await service.create(ana, {}, { key })
    const answer = await service.create(ana, { price: '120.51' }, { key })
    expect(answer).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  })

  it('is each person’s own', async () => {
    const key = newId()
    const [first, second] = [await service.create(ana, {}, { key }), await service.create(ben, {}, { key })]
    expect(second.status).toBe(201)
    expect(second.body.listing.id).not.toBe(first.body.listing.id)
  })

  it('is not spent by a request that failed', async () => {
    const key = newId()
    expect((await service.create(ana, { price: '0' }, { key })).status).toBe(400)
    expect((await service.create(ana, {}, { key })).status).toBe(201)
  })
})

describe('who may see a listing', () => {
  it('a public one: everybody, also withdrawn', async () => {
    const { id } = await service.created(ana)
    for (const viewer of [ana, ben, undefined]) expect((await service.get(id, viewer)).status).toBe(200)
    await service.withdraw(id, ana)
    expect((await service.get(id)).body.status).toBe('inactive')
  })

  it('a private one: its seller alone', async () => {
    const { id } = await service.created(ana, { isPrivate: true })
    expect((await service.get(id, ana)).status).toBe(200)
    for (const viewer of [ben, undefined]) {
      expect(await service.get(id, viewer)).toMatchObject({ status: 404, body: { code: 'LISTING_NOT_FOUND' } })
    }
  })

  it.each(['seller', 'buyer'])('one made for a counterparty, by the %s: those two', async userRole => {
    const { id } = await service.created(ana, { userRole }, { counterparty: ben })
    const statuses = [ana, ben, eve, undefined].map(async viewer => (await service.get(id, viewer)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404])
  })

  it('the terms: the same people', async () => {
    const { id } = await service.created(ana, {}, { counterparty: ben })
    const statuses = [ana, ben, eve].map(async ({ actor }) => {
      return (await service.client.request('GET', `/internal/listings/${id}/terms`, { actor })).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 404])
  })

  it.each(['0', '-1', '1.5', 'x', '99999999999999999999', '01', '1%00'])('the id %s: nobody', async id => {
    expect((await service.client.request('GET', `/api/listings/${id}`)).status).toBe(404)
  })
})

describe('reading a listing', () => {
  it('costs few statements when many read at once, and each gets their own', async () => {
    const ids: number[] = []
    for (let i = 0; i < 8; i++) ids.push((await service.created(ana, { title: `Lamp ${i}` })).id)
    const { app } = service.running
    const [reader, pool] = [app.get(ListingsReader, { strict: false }), app.get<pg.Pool>(READ_POOL, { strict: false })]
    const statements = jest.spyOn(pool, 'query')
    try {
      const asked = Array.from({ length: 200 }, (_, i) => ids[i % 8]!)
      const rows = await Promise.all(asked.map(id => reader.get(id, null)))
      expect(rows.map(row => Number(row.id))).toEqual(asked)
      expect(statements).toHaveBeenCalledTimes(Math.ceil(asked.length / MAX_BATCH))
    } finally {
      statements.mockRestore()
    }
  })

  it('answers 304 to a reader who has it, until it or its seller changes', async () => {
    const carl = person('Carl')
    const { id } = await service.created(carl)
    const first = await service.get(id)
    const etag = first.headers.get('etag')!
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = await service.get(id, undefined, { 'if-none-match': `W/"x", ${etag}` })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag])
    await service.change(id, carl, { title: 'A better lamp' })
    expect((await service.get(id, undefined, { 'if-none-match': etag })).status).toBe(200)
    const changed = (await service.get(id)).headers.get('etag')!
    await service.publish(newEvent(userUpdated, carl.id, { user: { ...carl.user, rating: 4.5 } }, new Date()))
    const last = await service.get(id, undefined, { 'if-none-match': changed })
    expect([last.status, last.body.seller.rating]).toEqual([200, 4.5])
  })

  it('keeps a private one from a stranger who knows its tag', async () => {
    const { id } = await service.created(ana, { isPrivate: true })
    const etag = (await service.get(id, ana)).headers.get('etag')!
    expect((await service.get(id, ben, { 'if-none-match': etag })).status).toBe(404)
  })
})

describe('changing a listing', () => {
  it('is its owner’s: 403 to who may see it, 404 to who may not, 401 to visitors', async () => {
    const open = await service.created(ana)
    const hidden = await service.created(ana, {}, { counterparty: ben })
    const tries = [
      [open.id, ben],
      [hidden.id, ben],
      [hidden.id, eve],
      [open.id, undefined],
      [999_999_999, ana],
    ] as const
    const statuses = await Promise.all(
      tries.map(async ([id, who]) => [
        (await service.change(id, who, { title: 'Mine' })).status,
        (await service.withdraw(id, who)).status,
      ]),
    )
    expect(statuses).toEqual([
      [403, 403],
      [403, 403],
      [404, 404],
      [401, 401],
      [404, 404],
    ])
    expect((await service.get(open.id)).body).toEqual(open)
  })

  it('answers it as it is then, and tells the others', async () => {
    const { id } = await service.created(ana)
    const change = {
      title: 'A red lamp',
      price: 99.9,
      location: '',
      inspectionPeriod: 7,
      condition: 'Fair',
      isPrivate: true,
    }
    const { status, body } = await service.change(id, ana, change)
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'A red lamp', price: '99.90', location: null, escrowDays: 7, isPrivate: true })
    expect((await service.get(id, ana)).body).toEqual(body)
    expect(await service.written(id)).toMatchObject([
      { type: 'listing.listing.created.v1' },
      { type: 'listing.listing.changed.v1', payload: { listingId: id, sellerId: ana.id, status: 'active' } },
    ])
  })

  it('that changes nothing is no change', async () => {
    const { id } = await service.created(ana)
    const etag = (await service.get(id)).headers.get('etag')
    expect((await service.change(id, ana, { title: 'A lamp', price: '120.5' })).headers.get('etag')).toBe(etag)
    expect((await service.change(id, ana, {})).status).toBe(200)
    expect(await service.written(id)).toHaveLength(1)
  })

  it('refuses what creating refuses', async () => {
    const { id } = await service.created(ana)
    for (const bad of [
      { price: '0' },
      { price: '1.001' },
      { title: '   ' },
      { status: 'sold' },
      { category: 'Cars' },
    ]) {
      expect((await service.change(id, ana, bad)).status).toBe(400)
    }
  })

  it('cannot publish one made for a counterparty', async () => {
    const { id } = await service.created(ana, {}, { counterparty: ben })
    const answer = await service.change(id, ana, { isPrivate: false })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { isPrivate: expect.any(String) } } } })
  })

  it('with If-Match is refused when somebody was faster', async () => {
    const { id } = await service.created(ana)
    const etag = (await service.get(id)).headers.get('etag')!
    expect((await service.change(id, ana, { title: 'First' }, { 'if-match': etag })).status).toBe(200)
    const second = await service.change(id, ana, { title: 'Second' }, { 'if-match': etag })
    expect(second).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  it('at the same moment loses neither change', async () => {
    const { id } = await service.created(ana)
    await Promise.all([
      service.change(id, ana, { title: 'T2' }),
      service.change(id, ana, { price: '7' }),
      service.change(id, ana, { condition: 'Poor' }),
    ])
    expect((await service.get(id)).body).toMatchObject({ title: 'T2', price: '7.00', condition: 'Poor' })
  })

  it('can withdraw it, twice, and offer it again', async () => {
    const { id } = await service.created(ana)
    expect((await service.withdraw(id, ana)).status).toBe(204)
    expect((await service.withdraw(id, ana)).status).toBe(204)
    expect((await service.list(`?sellerId=${ana.id}&q=lamp`)).body.map(each => each.id)).not.toContain(id)
    expect((await service.change(id, ana, { status: 'active' })).body.status).toBe('active')
    expect((await service.written(id)).map(event => event.payload.status)).toEqual([undefined, 'inactive', 'active'])
  })

  it('keeps pictures it names by path, adds new ones, and knows no one else’s', async () => {
    const listing = await service.created(ana, { images: [await pictureUrl(10), await pictureUrl(20)] })
    const other = await service.created(ben, { images: [await pictureUrl(30)] })
    const [first, second] = listing.images
    const { body } = await service.change(listing.id, ana, { images: [second, await pictureUrl(40), first] })
    expect(body.images).toEqual([second, expect.any(String), first])
    const answer = await service.change(listing.id, ana, { images: [first, other.images[0]] })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { 'images.1': expect.any(String) } } } })
    const dropped = await service.change(listing.id, ana, { images: [first] })
    expect(dropped.body.images).toEqual([first])
    expect((await service.change(listing.id, ana, { images: [second] })).status).toBe(400)
  })

  it('keeps no picture of a stranger’s attempt', async () => {
    const { id } = await service.created(ana)
    const before = await service.objects()
    expect((await service.change(id, eve, { images: [await pictureUrl(99)] })).status).toBe(403)
    expect(await service.objects()).toBe(before)
  })
})

describe('a deal on a listing', () => {
  let next = 1
  const deals = () => [next++, next++] as const
  const statusOf = async ({ id }: Listing) => (await service.get(id, ana)).body.status
  const refused = async ({ id }: Listing) => [
    (await service.change(id, ana, { title: 'Changed' })).status,
    (await service.withdraw(id, ana)).status,
  ]

  it('reserves it, and sells it when it completes; meanwhile nobody may change it', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    expect(await statusOf(listing)).toBe('reserved')
    expect(await refused(listing)).toEqual([409, 409])
    await service.deal('transactionCompleted', deal, listing)
    expect(await statusOf(listing)).toBe('sold')
    expect(await refused(listing)).toEqual([409, 409])
    expect((await service.written(listing.id)).map(event => event.payload.status)).toEqual([
      undefined,
      'reserved',
      'sold',
    ])
  })

  it('that nobody paid leaves it on sale again', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    await service.deal('transactionCancelled', deal, listing)
    expect(await statusOf(listing)).toBe('active')
  })

  it('that nobody paid leaves one off sale that its owner had withdrawn', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.withdraw(listing.id, ana)
    await service.deal('transactionOpened', deal, listing)
    expect(await statusOf(listing)).toBe('reserved')
    await service.deal('transactionCancelled', deal, listing)
    expect(await statusOf(listing)).toBe('inactive')
  })

  it('that was paid and came to nothing takes it off sale until its owner offers it again', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    await service.deal('transactionCancelled', deal, listing, true)
    expect(await statusOf(listing)).toBe('inactive')
    expect((await service.change(listing.id, ana, { status: 'active' })).body.status).toBe('active')
  })

  it('does not undo a newer one, however late its news are', async () => {
    const [listing, [older, newer]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', newer, listing)
    await service.deal('transactionOpened', older, listing)
    await service.deal('transactionCancelled', older, listing)
    expect(await statusOf(listing)).toBe('reserved')
    await service.deal('transactionCompleted', newer, listing)
    await service.deal('transactionCancelled', older, listing)
    expect(await statusOf(listing)).toBe('sold')
  })

  it('once over is not opened again by its own opening, replayed', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionCancelled', deal, listing)
    await service.deal('transactionOpened', deal, listing)
    expect(await statusOf(listing)).toBe('active')
  })

  it('told twice has one effect', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    await service.deal('transactionCancelled', deal, listing)
    await redeliverAll('listing-svc', service.database)
    await service.deal('transactionOpened', next++, await service.created(ana))
    expect((await service.written(listing.id)).map(event => event.payload.status)).toEqual([
      undefined,
      'reserved',
      'active',
    ])
  })
})

describe('a seller', () => {
  it('is shown as identity last said, whatever order the news come in', async () => {
    const dora = person('Dora')
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 1) + seconds * 1000)
    const named = (firstName: string) => ({ user: { ...dora.user, firstName } })
    const { id } = await service.created(dora)
    await service.publish(newEvent(userUpdated, dora.id, named('Dorothea'), at(2)))
    expect((await service.get(id)).body.seller.firstName).toBe('Dorothea')
    await service.publish(newEvent(userRegistered, dora.id, named('Dora'), at(1)))
    expect((await service.get(id)).body.seller.firstName).toBe('Dorothea')
    await service.created(dora)
    expect((await service.get(id)).body.seller.firstName).toBe('Dorothea')
  })
})

/** JSONB keeps fields in an order of its own; what counts is the same content. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
