import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { newId } from '@holdfast/kernel/ids'
import {
  MAX_LISTINGS_PER_DAY,
  MAX_LISTINGS_PER_HOUR,
  MAX_OFFERS_PER_HOUR,
  MAX_UNCONFIRMED_OFFERS_PER_DAY,
} from '@holdfast/kernel/listings'
import { listingInput, type Person, person, pictureUrl, RunningListing } from '../../test/running-listing.js'

const [ana, ben] = [person('Ana'), person('Ben')]

let service: RunningListing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())

describe('creating a listing', () => {
  it('returns the listing with its seller, and the terms of a deal', async () => {
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

  it('stores the signed agreements with signer, address and time', async () => {
    const { id } = await service.created(ben)
    const { rows } = await service.database.admin.query(
      'SELECT * FROM listing.legal_acceptance WHERE listing_id = $1',
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      signer_id: ben.id,
      signed_as: 'seller',
      agreements_version: AGREEMENTS_VERSION,
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

  it('stores them so that the service itself cannot change them', async () => {
    const { rows } = await service.database.admin.query(
      `SELECT p FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p
        WHERE has_table_privilege('listing_svc', 'listing.legal_acceptance', p)`,
    )
    expect(rows.map(row => row.p)).toEqual(['SELECT', 'INSERT'])
  })

  it('publishes an event with the terms', async () => {
    const { body } = await service.create(ana)
    expect(await service.written(body.listing.id)).toMatchObject([
      {
        type: 'listing.listing.created.v1',
        payload: { listingId: body.listing.id, sellerId: ana.id, terms: body.terms },
      },
    ])
  })

  it('for a counterparty makes it private, and its terms contain the deal', async () => {
    const { body } = await service.create(ana, { isPrivate: false }, { counterparty: ben })
    expect(body.listing.isPrivate).toBe(true)
    expect(body.terms.deal).toEqual({ sellerId: ana.id, buyerId: ben.id, openedBy: ana.id })
  })

  it('as the buyer makes the counterparty its seller', async () => {
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

  it('for counterparties is limited for each user', async () => {
    const eager = person('Eve')
    const offer = (key?: string) =>
      service.create(eager, { userRole: 'buyer' }, { counterparty: ben, ...(key === undefined ? {} : { key }) })
    const first = await offer('first')
    const more = await Promise.all(Array.from({ length: MAX_OFFERS_PER_HOUR - 1 }, () => offer()))
    expect(new Set([first, ...more].map(({ status }) => status))).toEqual(new Set([201]))
    const refused = await offer()
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await offer('first')).toMatchObject({ status: 201, body: first.body })
    expect((await service.create(eager)).status).toBe(201)
    expect((await service.create(ben, {}, { counterparty: eager })).status).toBe(201)
  })

  it('for strangers is limited lower while the address of its maker is not confirmed, also at the same moment', async () => {
    const newcomer = person('Nia')
    const friend = person('Fay')
    const offer = (counterparty: Person, makerConfirmed = false) =>
      service.create(newcomer, {}, { counterparty, makerConfirmed })
    const strangers = Array.from({ length: MAX_UNCONFIRMED_OFFERS_PER_DAY + 1 }, () => person('Sam'))
    const answers = await Promise.all(strangers.map(stranger => offer(stranger)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403])
    const refused = answers.find(({ status }) => status === 403)
    expect(refused).toMatchObject({
      body: { code: 'EMAIL_NOT_CONFIRMED', message: expect.stringContaining('3 offers a day') },
    })
    const [toAnother, toNewcomer] = [await service.created(friend), await service.created(friend)]
    await service.deal('transactionOpened', 801, toAnother, { buyerId: newcomer.id })
    await service.deal('transactionCancelled', 801, toAnother, { buyerId: newcomer.id })
    await service.deal('transactionOpened', 802, toAnother, { buyerId: ben.id })
    await service.deal('transactionCompleted', 802, toAnother, { buyerId: ben.id })
    expect((await offer(friend)).status).toBe(403)
    await service.deal('transactionOpened', 803, toNewcomer, { buyerId: newcomer.id })
    await service.deal('transactionCompleted', 803, toNewcomer, { buyerId: newcomer.id })
    expect((await offer(friend)).status).toBe(201)
    expect((await service.create(newcomer, {}, { makerConfirmed: false })).status).toBe(201)
    expect((await offer(person('Tia'))).status).toBe(403)
    expect((await offer(person('Tia'), true)).status).toBe(201)
  })

  it('is limited for each user, by the hour and by the day', async () => {
    const greedy = person('Gus')
    const created = await service.create(greedy, {}, { key: 'first' })
    const refusedAfter = async (name: string, used: number) => {
      await service.database.admin.query('UPDATE listing.attempts SET points = $1 WHERE key = $2', [
        used,
        `${name}:${greedy.id}`,
      ])
      expect((await service.create(greedy)).status).toBe(201)
      const refused = await service.create<{ code: string; message: string }>(greedy)
      expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      return refused.body.message
    }
    expect(await refusedAfter('listing-hour', MAX_LISTINGS_PER_HOUR - 1)).toMatch(/^You have created 60 listings/)
    await service.database.admin.query(`DELETE FROM listing.attempts WHERE key = 'listing-hour:' || $1`, [greedy.id])
    expect(await refusedAfter('listing-day', MAX_LISTINGS_PER_DAY - 1)).toMatch(/^You have created 200 listings/)
    expect(await service.create(greedy, {}, { key: 'first' })).toMatchObject({ status: 201, body: created.body })
    expect((await service.create(ana)).status).toBe(201)
  })

  it('with oneself is refused', async () => {
    const answer = await service.create(ana, {}, { counterparty: ana })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { selectedUserId: expect.any(String) } } } })
  })

  it.each([
    ['0', 'AMOUNT_INVALID'],
    ['0.00', 'AMOUNT_INVALID'],
    ['1.005', 'AMOUNT_INVALID'],
    ['1.000', 'AMOUNT_INVALID'],
    ['980000.01', 'AMOUNT_INVALID'],
    ['-1', 'VALIDATION_FAILED'],
    ['1e3', 'VALIDATION_FAILED'],
    ['3 000', 'VALIDATION_FAILED'],
    [' 3', 'VALIDATION_FAILED'],
    ['3,000', 'VALIDATION_FAILED'],
    ['', 'VALIDATION_FAILED'],
  ])('at the price %j is refused, and the refusal names the field', async (price, code) => {
    const { status, body } = await service.create<{ code: string; details: { fields: object } }>(ana, { price })
    expect({ status, code: body.code }).toEqual({ status: 400, code })
    expect(Object.keys(body.details.fields)).toEqual([code === 'AMOUNT_INVALID' ? 'price' : 'listing.price'])
  })

  it.each([
    ['0.01', '0.01'],
    [12, '12.00'],
    ['980000', '980000.00'],
  ])('at the price %j is accepted', async (price, kept) => {
    expect((await service.created(ana, { price })).price).toBe(kept)
  })

  it('needs every agreement', async () => {
    const { legalAcceptance } = listingInput()
    for (const left of ['termsAccepted', 'escrowAgreement', 'harmlessClause']) {
      const answer = await service.create(ana, { legalAcceptance: { ...legalAcceptance, [left]: false } })
      expect(answer.status).toBe(400)
    }
  })

  it('is accepted only from the gateway, for a signed-in user', async () => {
    const body = { listing: listingInput(), seller: ana.user, counterpartyId: null }
    const ask = (request: object) => service.client.request('POST', '/internal/listings', { body, ...request })
    expect((await ask({ caller: 'escrow-svc', actor: ana.actor })).status).toBe(403)
    expect((await ask({ actor: null })).status).toBe(401)
    expect(await service.client.unsigned('POST', '/internal/listings')).toBe(403)
  })
})

describe('an Idempotency-Key', () => {
  it('makes one listing of two requests, in sequence or at the same time', async () => {
    const key = newId()
    const maker = person('Once')
    const images = [await pictureUrl(1)]
    const create = () => service.create(maker, { images }, { key })
    const both = await Promise.all([create(), create()])
    const later = await create()
    expect([...both, later].map(answer => answer.status)).toEqual([201, 201, 201])
    expect(new Set([...both, later].map(answer => JSON.stringify(sorted(answer.body)))).size).toBe(1)
    const { rows } = await service.database.admin.query('SELECT FROM listing.listing WHERE seller_id = $1', [maker.id])
    expect(rows).toHaveLength(1)
  })

  it('gets the first answer again, also when the listing has changed since', async () => {
    const key = newId()
    const first = await service.create(ana, {}, { key })
    await service.changeTerms(first.body.listing.id, ana, { title: 'Another lamp' })
    expect((await service.create(ana, {}, { key })).body.listing.title).toBe('A lamp')
  })

  it('is refused with another input', async () => {
    const key = newId()
    await service.create(ana, {}, { key })
    const answer = await service.create(ana, { price: '120.51' }, { key })
    expect(answer).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
  })

  it('belongs to one user', async () => {
    const key = newId()
    const [first, second] = [await service.create(ana, {}, { key }), await service.create(ben, {}, { key })]
    expect(second.status).toBe(201)
    expect(second.body.listing.id).not.toBe(first.body.listing.id)
  })

  it('can be used again after a request that failed', async () => {
    const key = newId()
    expect((await service.create(ana, { price: '0' }, { key })).status).toBe(400)
    expect((await service.create(ana, {}, { key })).status).toBe(201)
  })
})

/** JSONB changes the order of fields, so only the content is compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
