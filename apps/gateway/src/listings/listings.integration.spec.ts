import { type PartyUser, PublicUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { aListing, aListingForm, aPerson, aRecord, someTerms } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

describe('creating a listing', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  let maker: PartyUser
  let other: PartyUser
  let token: string

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => {
    services.clear()
    maker = aPerson('Ben')
    other = aPerson('Ana')
    token = services.signIn({ id: maker.id }).token
    services.on('identity-svc', 'POST', '/internal/users/lookup', ({ body }) => {
      const { ids } = JSON.parse(body.toString()) as { ids: string[] }
      return [maker, other].filter(({ id }) => ids.includes(id))
    })
    services.on('listing-svc', 'POST', '/internal/listings', ({ body }, reply) => {
      const { seller, counterpartyId } = JSON.parse(body.toString())
      const buyerId = seller.id === maker.id ? other.id : maker.id
      const deal = counterpartyId ? { buyerId, sellerId: seller.id, openedBy: maker.id } : null
      return reply.code(201).send({ listing: aListing(seller), terms: someTerms({ sellerId: seller.id, deal }) })
    })
    services.on('escrow-svc', 'POST', '/internal/transactions', (_, reply) => reply.code(201).send(aRecord({ id: 70 })))
  })

  const headers = { 'idempotency-key': 'offer-1', 'user-agent': 'Browser of Ben' }
  const offer = (changes: object = {}) =>
    gateway.ask('POST', '/api/listings', { token, body: aListingForm(changes), headers })
  const asked = (path: string) => services.received.filter(({ url }) => url === path)
  const bodyOf = (path: string) => asked(path).map(({ body }) => JSON.parse(body.toString()))

  it('makes the signed-in user its maker, also when the form has other ids', async () => {
    const answer = await offer({ sellerId: other.id, buyerId: null })
    expect([answer.status, await answer.json()]).toEqual([201, aListing(PublicUser.parse(maker))])
    const [kept] = bodyOf('/internal/listings')
    expect([kept.seller, kept.counterpartyId, kept.listing.price]).toEqual([PublicUser.parse(maker), null, '120.50'])
    const [call] = asked('/internal/listings')
    expect(call!.caller!.actor).toMatchObject({ kind: 'user', id: maker.id })
    expect(call!.headers['idempotency-key']).toBe('offer-1')
    expect(asked('/internal/transactions')).toEqual([])
  })

  it('passes on the address and browser that the maker signed with', async () => {
    await offer()
    const [call] = asked('/internal/listings')
    expect([call!.caller!.clientIp, call!.headers['user-agent']]).toEqual(['127.0.0.1', 'Browser of Ben'])
  })

  it('opens the deal with a chosen buyer at once', async () => {
    const answer = await offer({ selectedUserId: other.id })
    expect(await answer.json()).toMatchObject({ id: 3, sellerId: maker.id, transaction: { id: 70 } })
    expect(bodyOf('/internal/transactions')).toEqual([{ terms: expect.anything(), buyerId: other.id, purchase: null }])
    expect(asked('/internal/transactions')[0]!.headers['idempotency-key']).toBe('offer-1')
  })

  it('makes the chosen user the seller when a buyer creates it', async () => {
    const answer = await offer({ userRole: 'buyer', sellerId: other.id, buyerId: maker.id })
    expect(await answer.json()).toMatchObject({ sellerId: other.id, transaction: { id: 70 } })
    expect(bodyOf('/internal/listings')[0].counterpartyId).toBe(other.id)
    expect(bodyOf('/internal/transactions')[0].buyerId).toBe(maker.id)
  })

  it('says whether the maker has confirmed their address, as it is at the moment of the offer', async () => {
    maker = { ...maker, emailConfirmed: false }
    await offer({ selectedUserId: other.id })
    maker = { ...maker, emailConfirmed: true }
    await offer({ selectedUserId: other.id })
    expect(bodyOf('/internal/listings').map(body => body.makerConfirmed)).toEqual([false, true])
  })

  it('creates nothing for a counterparty who has blocked the maker', async () => {
    services.on('identity-svc', 'POST', '/internal/users/blocked', ({ body }) => {
      const { blockerId, userId } = JSON.parse(body.toString()) as { blockerId: string; userId: string }
      return { isBlocked: blockerId === other.id && userId === maker.id }
    })
    for (const changes of [{ selectedUserId: other.id }, { userRole: 'buyer', sellerId: other.id }]) {
      const answer = await offer(changes)
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'COUNTERPARTY_UNAVAILABLE' }])
    }
    expect(asked('/internal/listings')).toEqual([])
  })

  it('requires from a buyer a counterparty that exists and is another user', async () => {
    const refused = async (changes: object) => {
      const answer = await offer(changes)
      const { code, details } = (await answer.json()) as { code: string; details: { fields?: object } | null }
      return [answer.status, code, Object.keys(details?.fields ?? {})]
    }
    expect(await refused({ userRole: 'buyer' })).toEqual([400, 'COUNTERPARTY_REQUIRED', []])
    expect(await refused({ userRole: 'buyer', selectedUserId: newId() })).toEqual([
      400,
      'VALIDATION_FAILED',
      ['selectedUserId'],
    ])
    expect(await refused({ selectedUserId: newId() })).toEqual([400, 'VALIDATION_FAILED', ['selectedUserId']])
    expect(await refused({ selectedUserId: maker.id })).toEqual([400, 'VALIDATION_FAILED', ['selectedUserId']])
    expect(await refused({ title: ' ', price: -1 })).toEqual([400, 'VALIDATION_FAILED', ['title', 'price']])
    expect(asked('/internal/listings')).toEqual([])
  })

  it('answers without the deal when it cannot be opened now: the listing’s event opens it later', async () => {
    const bringBack = await services.kill('escrow-svc')
    const answer = await offer({ selectedUserId: other.id })
    expect(answer.status).toBe(201)
    expect(await answer.json()).not.toHaveProperty('transaction')
    await bringBack()
  })

  it.each([
    ['its maker has too many unpaid ones', 429, 'RATE_LIMITED'],
    ['the other party closes their account', 403, 'COUNTERPARTY_UNAVAILABLE'],
    ['it was cancelled since an earlier request with the same key', 404, 'TRANSACTION_NOT_FOUND'],
  ])('passes on the refusal of a deal when %s', async (_, status, code) => {
    services.on('escrow-svc', 'POST', '/internal/transactions', (_, reply) =>
      reply.code(status).send({ code, message: 'No deal.', error: '', details: null, requestId: '' }),
    )
    const answer = await offer({ selectedUserId: other.id })
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ message: 'No deal.' })])
  })

  it('passes on a refusal of listing-svc, such as of an invalid picture', async () => {
    services.on('listing-svc', 'POST', '/internal/listings', (_, reply) => {
      const details = { fields: { 'images.0': 'File must be an image' } }
      return reply
        .code(400)
        .send({ code: 'IMAGE_INVALID', message: 'File must be an image', error: '', details, requestId: '' })
    })
    const answer = await offer()
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'IMAGE_INVALID', details: { fields: { 'images.0': 'File must be an image' } } }),
    ])
  })

  it('accepts pictures beyond the body limit of other requests', async () => {
    const images = [`data:image/jpeg;base64,${'A'.repeat(3_000_000)}`]
    expect((await offer({ images })).status).toBe(201)
    expect(bodyOf('/internal/listings')[0].listing.images).toEqual(images)
  })
})
