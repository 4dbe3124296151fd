import { userUpdated } from '@holdfast/contracts/events'
import type { ListingTerms } from '@holdfast/contracts/terms'
import { newEvent } from '@holdfast/events/outbox/event'
import { hashTerms } from '@holdfast/service-kit/agreement/terms-hash'
import { MAX_BATCH } from '@holdfast/service-kit/database/batch-calls'
import type pg from 'pg'
import { type Person, person, pictureUrl, RunningListing } from '../../test/running-listing.js'
import { READ_POOL } from '../read-pool.module.js'
import { ListingsReader } from './listings.reader.js'

const [ana, ben, eve] = [person('Ana'), person('Ben'), person('Eve')]

let service: RunningListing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())

describe('who may see a listing', () => {
  it('a public one: every viewer, also when it is withdrawn', async () => {
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

  it('the terms: the same users', async () => {
    const { id } = await service.created(ana, {}, { counterparty: ben })
    const statuses = [ana, ben, eve].map(async ({ actor }) => {
      return (await service.client.request('GET', `/internal/listings/${id}/terms`, { actor })).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 404])
  })

  it.each(['0', '-1', '1.5', 'x', '99999999999999999999', '01', '1%00'])('the malformed id %s: no viewer', async id => {
    expect((await service.client.request('GET', `/api/listings/${id}`)).status).toBe(404)
  })
})

describe('reading a listing', () => {
  it('needs few statements for many reads at once, and each reader gets the right listing', async () => {
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
    // With a content-length and no body, every client of a connection pool would wait and then fail.
    expect(again.headers.get('content-length')).toBeNull()
    await service.changeTerms(id, carl, { title: 'A better lamp' })
    expect((await service.get(id, undefined, { 'if-none-match': etag })).status).toBe(200)
    const changed = (await service.get(id)).headers.get('etag')!
    const user = { ...carl.user, rating: 4.5, emailConfirmed: true, takenOverAt: null }
    await service.publish(newEvent(userUpdated, carl.id, { user }, new Date()))
    const last = await service.get(id, undefined, { 'if-none-match': changed })
    expect([last.status, last.body.seller.rating]).toEqual([200, 4.5])
  })

  it('refuses a private one to a stranger who knows its ETag', async () => {
    const { id } = await service.created(ana, { isPrivate: true })
    const etag = (await service.get(id, ana)).headers.get('etag')!
    expect((await service.get(id, ben, { 'if-none-match': etag })).status).toBe(404)
  })
})

describe('changing a listing', () => {
  it('is allowed to its owner: 403 for users who may see it, 404 for others, 401 for visitors', async () => {
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

  it('returns the new state', async () => {
    const { id } = await service.created(ana)
    const change = {
      title: 'A red lamp',
      price: 99.9,
      location: '',
      inspectionPeriod: 7,
      condition: 'Fair',
      isPrivate: true,
    }
    const { status, body } = await service.changeTerms(id, ana, change)
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'A red lamp', price: '99.90', location: null, escrowDays: 7, isPrivate: true })
    expect((await service.get(id, ana)).body).toEqual(body)
    expect(await service.versionOf(body)).toBe(2)
  })

  it('to its present values has no effect', async () => {
    const { id } = await service.created(ana)
    const etag = (await service.get(id)).headers.get('etag')
    expect((await service.change(id, ana, { title: 'A lamp', price: '120.5' })).headers.get('etag')).toBe(etag)
    expect((await service.change(id, ana, {})).status).toBe(200)
    expect(await service.versionOf({ id })).toBe(1)
  })

  it('refuses the same input as creating does', async () => {
    const { id } = await service.created(ana)
    for (const bad of [
      { price: '0' },
      { price: '1.001' },
      { title: '   ' },
      { status: 'sold' },
      { category: 'Cars' },
    ]) {
      expect((await service.changeTerms(id, ana, bad)).status).toBe(400)
    }
  })

  it('cannot publish one made for a counterparty', async () => {
    const { id } = await service.created(ana, {}, { counterparty: ben })
    const answer = await service.change(id, ana, { isPrivate: false })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { isPrivate: expect.any(String) } } } })
  })

  it('with If-Match is refused after another change', async () => {
    const { id } = await service.created(ana)
    const etag = (await service.get(id)).headers.get('etag')!
    expect((await service.changeTerms(id, ana, { title: 'First' }, { 'if-match': etag })).status).toBe(200)
    const second = await service.changeTerms(id, ana, { title: 'Second' }, { 'if-match': etag })
    expect(second).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const repeated = await service.changeTerms(id, ana, { title: 'First' }, { 'if-match': etag })
    expect(repeated).toMatchObject({ status: 200, body: { title: 'First' } })
  })

  it('by two requests at the same moment keeps both changes', async () => {
    const { id } = await service.created(ana)
    await Promise.all([
      service.changeTerms(id, ana, { title: 'T2' }),
      service.changeTerms(id, ana, { price: '7' }),
      service.changeTerms(id, ana, { condition: 'Poor' }),
    ])
    expect((await service.get(id)).body).toMatchObject({ title: 'T2', price: '7.00', condition: 'Poor' })
  })

  it('can withdraw it, twice, and offer it again', async () => {
    const { id } = await service.created(ana)
    expect((await service.withdraw(id, ana)).status).toBe(204)
    expect((await service.withdraw(id, ana)).status).toBe(204)
    expect((await service.list(`?sellerId=${ana.id}&q=lamp`)).body.map(each => each.id)).not.toContain(id)
    expect((await service.change(id, ana, { status: 'active' })).body.status).toBe('active')
    // Withdrawing it again has changed nothing.
    expect(await service.versionOf({ id })).toBe(3)
  })

  it('keeps pictures named by path, adds new ones, and refuses pictures of other listings', async () => {
    const listing = await service.created(ana, { images: [await pictureUrl(10), await pictureUrl(20)] })
    const other = await service.created(ben, { images: [await pictureUrl(30)] })
    const [first, second] = listing.images
    const { body } = await service.changeTerms(listing.id, ana, { images: [second, await pictureUrl(40), first] })
    expect(body.images).toEqual([second, expect.any(String), first])
    const answer = await service.changeTerms(listing.id, ana, { images: [first, other.images[0]] })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { 'images.1': expect.any(String) } } } })
    const dropped = await service.changeTerms(listing.id, ana, { images: [first] })
    expect(dropped.body.images).toEqual([first])
    expect((await service.changeTerms(listing.id, ana, { images: [second] })).status).toBe(400)
  })

  it('stores no picture when a stranger attempts it', async () => {
    const { id } = await service.created(ana)
    const before = await service.objects()
    expect((await service.change(id, eve, { images: [await pictureUrl(99)] })).status).toBe(403)
    expect(await service.objects()).toBe(before)
  })
})

describe('a change of the terms', () => {
  const signatures = async (id: number) =>
    (
      await service.database.admin.query(
        `SELECT signer_id, signed_as, digital_signature, listing_version, encode(terms_hash, 'hex') AS terms_hash, received_at, client_ip
           FROM listing.legal_acceptance WHERE listing_id = $1 ORDER BY listing_version`,
        [id],
      )
    ).rows
  const termsOf = async (id: number, { actor }: Person) =>
    (await service.client.request<ListingTerms>('GET', `/internal/listings/${id}/terms`, { actor })).body
  const isSigned = (terms: ListingTerms) => hashTerms(terms).toString('hex') === terms.signedHash

  it('is refused without a signature, and names the field', async () => {
    const { id } = await service.created(ana)
    const before = await termsOf(id, ben)
    for (const body of [{ price: '1' }, { title: 'Another' }, { location: 'Bern' }, { images: [await pictureUrl()] }])
      expect(await service.change(id, ana, body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: { fields: { digitalSignature: expect.any(String) } } },
      })
    expect((await service.change(id, ana, { price: '1', digitalSignature: '  ' })).status).toBe(400)
    expect(await termsOf(id, ben)).toEqual(before)
    expect(await signatures(id)).toHaveLength(1)
  })

  it('is a signature of its own, with who, when and what', async () => {
    const { id } = await service.created(ana)
    const first = await termsOf(id, ben)
    expect([first.signedBy, isSigned(first)]).toEqual(['seller', true])
    expect((await service.changeTerms(id, ana, { price: '99' })).status).toBe(200)
    const second = await termsOf(id, ben)
    expect(second).toMatchObject({ price: '99.00', signedBy: 'seller' })
    expect([isSigned(second), second.signedHash === first.signedHash]).toEqual([true, false])
    expect(second.signedAt > first.signedAt).toBe(true)
    expect(await signatures(id)).toMatchObject([
      { signer_id: ana.id, listing_version: 1, terms_hash: first.signedHash, digital_signature: 'Ana Test' },
      { signer_id: ana.id, listing_version: 2, terms_hash: second.signedHash, digital_signature: 'Ana Anew' },
    ])
  })

  it('is signed once when the request is repeated', async () => {
    const { id } = await service.created(ana)
    await service.changeTerms(id, ana, { price: '99' })
    await service.changeTerms(id, ana, { price: '99' })
    expect(await signatures(id)).toHaveLength(2)
  })

  it('by two requests at the same moment leaves the signature of the terms as they are', async () => {
    const { id } = await service.created(ana)
    await Promise.all(['7', '8', '9'].map(price => service.changeTerms(id, ana, { price })))
    const terms = await termsOf(id, ben)
    expect([isSigned(terms), (await signatures(id)).map(row => row.listing_version)]).toEqual([true, [1, 2, 3, 4]])
  })

  it('is never read with the signature of other terms, also at the moment of the change', async () => {
    const { id } = await service.created(ana)
    const changes = (async () => {
      for (const price of ['1', '2', '3', '4', '5', '6', '7', '8']) await service.changeTerms(id, ana, { price })
    })()
    const read: ListingTerms[] = []
    let isOver = false
    void changes.finally(() => {
      isOver = true
    })
    while (!isOver) read.push(await termsOf(id, ben))
    await changes
    expect(new Set(read.map(({ price }) => price)).size).toBeGreaterThan(1)
    expect(read.filter(terms => !isSigned(terms))).toEqual([])
  })

  it('needs no signature when it is none, and then the signature stays', async () => {
    const { id } = await service.created(ana)
    const before = await termsOf(id, ana)
    for (const body of [{ isPrivate: true }, { status: 'inactive' }, { status: 'active' }])
      expect((await service.change(id, ana, body)).status).toBe(200)
    expect(await termsOf(id, ana)).toEqual(before)
    expect(await signatures(id)).toHaveLength(1)
  })

  it('of a listing that a buyer made is signed by the seller, who was named, before it goes on sale', async () => {
    const made = await service.created(ben, { userRole: 'buyer' }, { counterparty: ana })
    await service.deal('transactionOpened', 951, made, { buyerId: ben.id })
    await service.deal('transactionCancelled', 951, made, { buyerId: ben.id })
    expect(await service.change(made.id, ana, { status: 'active' })).toMatchObject({
      status: 400,
      body: { details: { fields: { digitalSignature: expect.any(String) } } },
    })
    expect((await termsOf(made.id, ana)).signedBy).toBe('buyer')
    const changed = await service.changeTerms(made.id, ana, { status: 'active', price: '900' })
    expect([changed.status, changed.body.status]).toEqual([200, 'active'])
    const terms = await termsOf(made.id, ana)
    expect([terms.signedBy, isSigned(terms)]).toEqual(['seller', true])
    expect((await signatures(made.id)).map(row => [row.signer_id, row.signed_as])).toEqual([
      [ben.id, 'buyer'],
      [ana.id, 'seller'],
    ])
  })
})
