import type { Listing } from '@holdfast/contracts/listings'
import type { ListingTerms } from '@holdfast/contracts/terms'
import { legalAcceptance, type Person, person, pictureUrl, RunningListing } from '../../test/running-listing.js'

const [ana, eve] = [person('Ana'), person('Eve')]

describe('an item that is listed again', () => {
  let service: RunningListing
  beforeAll(async () => {
    service = await RunningListing.start()
  })
  afterAll(() => service?.stop())

  const relist = (id: number, who: Person | undefined, body: unknown = { legalAcceptance }) =>
    service.client.request<Listing>('POST', `/api/listings/${id}/relist`, { actor: who?.actor ?? null, body })
  const offSale = async (changes: Record<string, unknown> = {}) => {
    const listing = await service.created(ana, changes)
    await service.withdraw(listing.id, ana)
    return listing
  }
  const statusOf = async ({ id }: Listing) => (await service.get(id, ana)).body.status
  const termsOf = async (id: number) =>
    (await service.client.request<ListingTerms>('GET', `/internal/listings/${id}/terms`, { actor: eve.actor })).body
  const signaturesOf = async (id: number) =>
    (
      await service.database.admin.query<{ digital_signature: string; signed_as: string; client_ip: string }>(
        'SELECT digital_signature, signed_as, client_ip FROM listing.legal_acceptance WHERE listing_id = $1',
        [id],
      )
    ).rows

  it('is a new listing with the same item and pictures, under a signature of its own', async () => {
    const old = await offSale({ images: [await pictureUrl()], location: 'Bern' })
    const { status, body } = await relist(old.id, ana, {
      legalAcceptance: { ...legalAcceptance, digitalSignature: 'Ana Anew' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({ ...old, id: expect.any(Number), createdAt: expect.any(String), status: 'active' })
    expect(body.id).not.toBe(old.id)
    expect(await signaturesOf(body.id)).toMatchObject([{ digital_signature: 'Ana Anew', signed_as: 'seller' }])
    expect((await service.get(old.id, ana)).body).toMatchObject({ status: 'inactive', relistedAs: body.id })
    expect((await service.list(`?sellerId=${ana.id}`)).body.map(({ id }) => id)).toContain(body.id)
  })

  it('is listed once by two requests at the same time, and by a later one', async () => {
    const old = await offSale()
    const answers = await Promise.all([relist(old.id, ana), relist(old.id, ana), relist(old.id, ana)])
    const again = await relist(old.id, ana)
    expect([...answers, again].map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set([...answers, again].map(({ body }) => body.id)).size).toBe(1)
  })

  it('is not put on sale by the old listing, too', async () => {
    const old = await offSale()
    await relist(old.id, ana)
    expect(await service.change(old.id, ana, { status: 'active' })).toMatchObject({
      status: 409,
      body: { code: 'LISTING_RELISTED' },
    })
  })

  it('may have come back from a buyer, and may be listed again after that, too', async () => {
    const old = await service.created(ana)
    await service.deal('transactionOpened', 901, old)
    expect(await relist(old.id, ana)).toMatchObject({ status: 409, body: { code: 'LISTING_IN_DEAL' } })
    await service.deal('transactionCancelled', 901, old, { wasFunded: true })
    const second = (await relist(old.id, ana)).body
    expect(await relist(second.id, ana)).toMatchObject({ status: 409, body: { code: 'LISTING_ON_SALE' } })
    await service.withdraw(second.id, ana)
    expect((await relist(second.id, ana)).body.id).not.toBe(second.id)
  })

  it('names its first listing in the terms of a deal, however often it was listed', async () => {
    const first = await offSale()
    const second = (await relist(first.id, ana)).body
    await service.withdraw(second.id, ana)
    const third = (await relist(second.id, ana)).body
    const itemIds = await Promise.all([first, second, third].map(async ({ id }) => (await termsOf(id)).itemId))
    expect(itemIds).toEqual([undefined, first.id, first.id])
  })

  it('is reserved by a deal that was opened on the old listing at the same moment', async () => {
    const old = await offSale()
    const second = (await relist(old.id, ana)).body
    await service.withdraw(second.id, ana)
    const newest = (await relist(second.id, ana)).body
    const buyer = person('Ben')
    await service.deal('transactionOpened', 911, old, { buyerId: buyer.id })
    expect(await Promise.all([old, second, newest].map(statusOf))).toEqual(['inactive', 'inactive', 'reserved'])
    expect(await service.withdraw(newest.id, ana)).toMatchObject({ status: 409, body: { code: 'LISTING_IN_DEAL' } })
    await service.deal('transactionCancelled', 911, old)
    expect(await Promise.all([old, newest].map(statusOf))).toEqual(['inactive', 'active'])
    await service.deal('transactionOpened', 912, newest)
    await service.deal('transactionOpened', 911, old)
    await service.deal('transactionCompleted', 912, newest)
    expect(await Promise.all([old, newest].map(statusOf))).toEqual(['inactive', 'sold'])
  })

  it('is not reserved by an event of an ended deal that arrives again', async () => {
    const old = await service.created(ana)
    await service.deal('transactionOpened', 921, old)
    await service.deal('transactionCancelled', 921, old, { wasFunded: true })
    const { id } = (await relist(old.id, ana)).body
    await service.deal('transactionOpened', 921, old)
    await service.deal('transactionCancelled', 921, old, { wasFunded: true })
    expect((await service.get(id, ana)).body.status).toBe('active')
  })

  it('needs its owner and all three agreements', async () => {
    const old = await offSale()
    const hidden = await offSale({ isPrivate: true })
    expect((await relist(old.id, undefined)).status).toBe(401)
    expect(await relist(old.id, eve)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await relist(hidden.id, eve)).toMatchObject({ status: 404, body: { code: 'LISTING_NOT_FOUND' } })
    const unsigned = { legalAcceptance: { ...legalAcceptance, harmlessClause: false } }
    expect(await relist(old.id, ana, unsigned)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect((await service.get(old.id, ana)).body.relistedAs).toBeNull()
  })
})
