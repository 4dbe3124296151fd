import type { ListingTerms } from '@holdfast/contracts/terms'
import { DealParty, type TransactionRecord } from '@holdfast/contracts/transactions'
import type { PartyUser } from '@holdfast/contracts/users'
import type { DealStatus } from '@holdfast/kernel/deals'
import { newId } from '@holdfast/kernel/ids'
import { answerPeople, aPerson, aRecord, someTerms } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const PICTURE = `/api/images/${'0'.repeat(64)}`

describe('deals', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  let buyer: PartyUser
  let seller: PartyUser
  let token: string

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => {
    services.clear()
    buyer = aPerson('Ana')
    seller = aPerson('Ben')
    token = services.signIn({ id: buyer.id }).token
    answerPeople(services, [buyer, seller])
  })

  const record = (changes: Partial<TransactionRecord> = {}) =>
    aRecord({ buyerId: buyer.id, sellerId: seller.id, ...changes })
  /** What browsers get of a party. */
  const shown = (party: unknown) => DealParty.parse(party)
  const asked = (path: string) => services.received.filter(({ url }) => url.startsWith(path))

  it('consist of escrow’s record with the profiles of buyer and seller', async () => {
    services.on('escrow-svc', 'GET', '/internal/transactions/7', () => ({ ...record(), secret: 'x' }))
    const answer = await gateway.ask('GET', '/api/transactions/7', { token })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ ...record(), buyer: shown(buyer), seller: shown({ ...seller, email: null }) })
    const [call] = asked('/internal/transactions/7')
    expect(call!.caller!.actor).toMatchObject({ kind: 'user', id: buyer.id })
    expect(call!.headers['x-request-id']).toBe(answer.headers.get('x-request-id'))
  })

  describe('show the email address of the other party', () => {
    const emailsSeenBy = async (reader: string, ...statuses: DealStatus[]) => {
      const reached = statuses.map(status => ({ status, at: new Date().toISOString() }))
      services.on('escrow-svc', 'GET', '/internal/transactions', () => [record({ reached })])
      const answer = await gateway.ask('GET', '/api/transactions', { token: reader })
      const [deal] = (await answer.json()) as { buyer: PartyUser; seller: PartyUser }[]
      return [deal!.buyer.email, deal!.seller.email]
    }

    it('to a buyer when the seller has shipped or handed over, and not because the buyer has paid', async () => {
      const { token } = services.signIn({ id: buyer.id })
      expect(await emailsSeenBy(token, 'pending')).toEqual([buyer.email, null])
      expect(await emailsSeenBy(token, 'pending', 'paid')).toEqual([buyer.email, null])
      expect(await emailsSeenBy(token, 'pending', 'paid', 'cancelled')).toEqual([buyer.email, null])
      expect(await emailsSeenBy(token, 'pending', 'paid', 'shipped')).toEqual([buyer.email, seller.email])
      expect(await emailsSeenBy(token, 'pending', 'paid', 'in_progress')).toEqual([buyer.email, seller.email])
    })

    it('not to a buyer who says that the item has arrived while the seller has done nothing', async () => {
      const { token } = services.signIn({ id: buyer.id })
      const statuses = ['pending', 'paid', 'delivered', 'inspection', 'completed'] as const
      expect(await emailsSeenBy(token, ...statuses)).toEqual([buyer.email, null])
    })

    it('to a seller when the buyer has paid', async () => {
      const { token } = services.signIn({ id: seller.id })
      expect(await emailsSeenBy(token, 'pending')).toEqual([null, seller.email])
      expect(await emailsSeenBy(token, 'pending', 'paid')).toEqual([buyer.email, seller.email])
    })
  })

  it('are 404 when escrow answers 404, and when the id is malformed', async () => {
    services.on('escrow-svc', 'GET', '/internal/transactions/8', (_, reply) =>
      reply.code(404).send(refusal('TRANSACTION_NOT_FOUND')),
    )
    expect(await gateway.codeOf('GET', '/api/transactions/8', { token })).toEqual([404, 'TRANSACTION_NOT_FOUND'])
    expect(await gateway.codeOf('GET', '/api/transactions/0x7', { token })).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('GET', '/api/transactions/7')).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('are listed with one lookup of all people, and with a link to the next page', async () => {
    const records = [9, 8, 7].map(id => record({ id }))
    services.on('escrow-svc', 'GET', '/internal/transactions', () => records)
    const answer = await gateway.ask('GET', '/api/transactions?limit=3', { token })
    expect(
      ((await answer.json()) as { id: number; seller: PartyUser }[]).map(({ id, seller }) => [id, seller.firstName]),
    ).toEqual([
      [9, 'Ben'],
      [8, 'Ben'],
      [7, 'Ben'],
    ])
    expect(answer.headers.get('link')).toBe('</api/transactions?limit=3&before=7>; rel="next"')
    expect(asked('/internal/transactions')[0]!.url).toBe('/internal/transactions?limit=3')
    expect(asked('/internal/users/lookup')).toHaveLength(1)
  })

  it('are searched for the names of the other parties, which only identity-svc knows', async () => {
    services.on('escrow-svc', 'GET', '/internal/transactions/partners', () => [seller.id, newId()])
    services.on('escrow-svc', 'POST', '/internal/transactions/search', () => [record({ id: 9 })])
    services.on('escrow-svc', 'GET', '/internal/transactions', () => [])
    const answer = await gateway.ask('GET', '/api/transactions?q=ben&status=paid&limit=1', { token })
    expect(((await answer.json()) as object[]).length).toBe(1)
    expect(answer.headers.get('link')).toBe('</api/transactions?limit=1&status=paid&q=ben&before=9>; rel="next"')
    const [search] = asked('/internal/transactions/search')
    expect(JSON.parse(search!.body.toString())).toEqual({ q: 'ben', status: ['paid'], limit: 1, others: [seller.id] })
    expect(await (await gateway.ask('GET', '/api/transactions?q=camera', { token })).json()).toEqual([])
    expect(asked('/internal/transactions?')).toMatchObject([{ url: '/internal/transactions?limit=50&q=camera' }])
  })

  it('are listed by user id for that user only', async () => {
    services.on('escrow-svc', 'GET', '/internal/transactions', () => [record()])
    const own = await gateway.ask('GET', `/api/transactions/user/${buyer.id}?limit=1`, { token })
    expect(own.headers.get('link')).toBe(`</api/transactions/user/${buyer.id}?limit=1&before=7>; rel="next"`)
    const whole = await gateway.ask('GET', `/api/transactions/user/${buyer.id}`, { token })
    expect([whole.status, whole.headers.get('link')]).toEqual([200, null])
    expect(await gateway.codeOf('GET', `/api/transactions/user/${seller.id}`, { token })).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('GET', '/api/transactions?limit=101', { token })).toEqual([400, 'VALIDATION_FAILED'])
  })

  it('are 503 when the parties cannot be looked up', async () => {
    services.on('escrow-svc', 'GET', '/internal/transactions/7', () => record())
    services.on('identity-svc', 'POST', '/internal/users/lookup', (_, reply) =>
      reply.code(503).send(refusal('UNAVAILABLE')),
    )
    expect(await gateway.codeOf('GET', '/api/transactions/7', { token })).toEqual([503, 'UNAVAILABLE'])
  })

  it('show a party whose account was deleted as a former user', async () => {
    const reached = [{ status: 'paid' as const, at: new Date().toISOString() }]
    services.on('escrow-svc', 'GET', '/internal/transactions/7', () => record({ reached }))
    services.on('escrow-svc', 'GET', '/internal/transactions', () => [record({ reached })])
    answerPeople(services, [buyer])
    const answer = await gateway.ask('GET', '/api/transactions/7', { token })
    expect(answer.status).toBe(200)
    const former = { id: seller.id, firstName: 'Closed account', lastName: '', email: null, rating: null }
    expect(await answer.json()).toMatchObject({ buyer: shown(buyer), seller: former })
    expect(await (await gateway.ask('GET', '/api/transactions', { token })).json()).toMatchObject([{ seller: former }])
  })

  it('show a party’s new name as soon as its event has arrived', async () => {
    services.on('escrow-svc', 'GET', '/internal/transactions/7', () => record())
    const sellerName = async () =>
      ((await (await gateway.ask('GET', '/api/transactions/7', { token })).json()) as { seller: PartyUser }).seller
        .firstName
    expect(await sellerName()).toBe('Ben')
    answerPeople(services, [buyer, { ...seller, firstName: 'Benedikt' }])
    expect(await sellerName()).toBe('Ben')
    gateway.transport.emit({
      id: newId(),
      type: 'identity.user.updated.v1',
      topic: 'identity.user',
      key: seller.id,
      payload: {},
      occurredAt: new Date().toISOString(),
    })
    expect(await sellerName()).toBe('Benedikt')
  })

  describe('are opened by buying', () => {
    const buy = (body: object, headers: Record<string, string> = {}) =>
      gateway.ask('POST', '/api/transactions', { token, body, headers })
    const codeOfBuying = async (body: object, headers: Record<string, string> = {}) => {
      const answer = await buy(body, headers)
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    const offer = (changes: Partial<ListingTerms> = {}) => {
      const terms = someTerms({ sellerId: seller.id, ...changes })
      services.on('listing-svc', 'GET', '/internal/listings/3/terms', () => terms)
      services.on('escrow-svc', 'POST', '/internal/transactions', (_, reply) => reply.code(201).send(record()))
      return terms
    }
    const opened = () =>
      asked('/internal/transactions')
        .filter(({ url }) => url === '/internal/transactions')
        .map(({ body }) => JSON.parse(body.toString()))

    it('under the listing’s present terms', async () => {
      const terms = offer()
      const answer = await buy({ listingId: 3, amount: 120.5, buyerId: buyer.id }, { 'idempotency-key': 'intent-1' })
      expect([answer.status, await answer.json()]).toEqual([
        201,
        { ...record(), buyer: shown(buyer), seller: shown({ ...seller, email: null }) },
      ])
      expect(opened()).toEqual([
        { terms, buyerId: buyer.id, purchase: { listingId: 3, amount: '120.5', buyerId: buyer.id } },
      ])
      expect(asked('/internal/transactions')[0]!.headers['idempotency-key']).toBe('intent-1')
      expect(asked('/internal/transactions')[0]!.caller!.actor).toMatchObject({ id: buyer.id })
    })

    it('only at the price that the buyer saw', async () => {
      offer()
      expect(await codeOfBuying({ listingId: 3, amount: '120.49' })).toEqual([409, 'LISTING_PRICE_CHANGED'])
      for (const amount of ['120.505', '120.500'])
        expect(await codeOfBuying({ listingId: 3, amount })).toEqual([400, 'AMOUNT_INVALID'])
      expect(await codeOfBuying({ listingId: 3 })).toEqual([400, 'VALIDATION_FAILED'])
      expect(opened()).toEqual([])
    })

    it('only under the terms that the buyer saw, when the request holds them', async () => {
      const terms = offer()
      const { title, description, condition, inspectionDays, returnPolicy, images } = terms
      const seen = { title, description, condition, inspectionDays, returnPolicy, images }
      const buying = (changes: object) =>
        codeOfBuying({ listingId: 3, amount: '120.50', seen: { ...seen, ...changes } })
      expect((await buy({ listingId: 3, amount: '120.50', seen })).status).toBe(201)
      for (const change of [
        { condition: 'New' },
        { inspectionDays: 7 },
        { description: 'Ticks!' },
        { images: [PICTURE] },
      ])
        expect(await buying(change)).toEqual([409, 'LISTING_CHANGED'])
      expect(await buying({ condition: 'As good as new' })).toEqual([400, 'VALIDATION_FAILED'])
      expect(opened()).toHaveLength(1)
    })

    it('only for the signed-in user, only from another user, and only when the listing is active', async () => {
      offer()
      expect(await codeOfBuying({ listingId: 3, amount: '120.50', buyerId: seller.id })).toEqual([403, 'FORBIDDEN'])
      offer({ sellerId: buyer.id })
      expect(await codeOfBuying({ listingId: 3, amount: '120.50' })).toEqual([403, 'OWN_LISTING'])
      for (const status of ['reserved', 'sold', 'inactive'] as const) {
        offer({ status })
        expect(await codeOfBuying({ listingId: 3, amount: '120.50' })).toEqual([409, 'LISTING_NOT_AVAILABLE'])
      }
      expect(opened()).toEqual([])
    })

    describe('again with the same key', () => {
      const headers = { 'idempotency-key': 'intent-1' }
      const purchased = () => asked('/internal/transactions/purchased').map(({ body }) => JSON.parse(body.toString()))
      const rememberPurchase = () =>
        services.on('escrow-svc', 'POST', '/internal/transactions/purchased', () => record())

      it.each<[string, Partial<ListingTerms>]>([
        ['reserved by the first request', { status: 'reserved' }],
        ['sold', { status: 'sold' }],
        ['sold at another price', { price: '99.00' }],
      ])('gets the first deal, although the listing is %s by now', async (_, changes) => {
        offer(changes)
        rememberPurchase()
        const answer = await buy({ listingId: 3, amount: '120.50' }, headers)
        expect([answer.status, await answer.json()]).toMatchObject([201, { id: record().id }])
        expect(purchased()).toEqual([{ purchase: { listingId: 3, amount: '120.50' } }])
        expect(asked('/internal/transactions/purchased')[0]!.headers).toMatchObject(headers)
        expect(opened()).toEqual([])
      })

      it('gets the first deal, although the listing is gone', async () => {
        services.on('listing-svc', 'GET', '/internal/listings/3/terms', (_, reply) =>
          reply.code(404).send(refusal('LISTING_NOT_FOUND')),
        )
        rememberPurchase()
        expect((await buy({ listingId: 3, amount: '120.50' }, headers)).status).toBe(201)
      })

      it('is refused when the key is new, or was used for another purchase', async () => {
        offer({ status: 'sold' })
        const answerWith = (status: number, code: string) =>
          services.on('escrow-svc', 'POST', '/internal/transactions/purchased', (_, reply) =>
            reply.code(status).send(refusal(code)),
          )
        answerWith(404, 'TRANSACTION_NOT_FOUND')
        expect(await codeOfBuying({ listingId: 3, amount: '120.50' }, headers)).toEqual([409, 'LISTING_NOT_AVAILABLE'])
        answerWith(422, 'IDEMPOTENCY_KEY_REUSED')
        expect(await codeOfBuying({ listingId: 3, amount: '120.50' }, headers)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
      })
    })

    it('from a seller who has not blocked the buyer; the refusal does not say why', async () => {
      offer()
      services.on('identity-svc', 'POST', '/internal/users/blocked', ({ body }) => {
        const { blockerId, userId } = JSON.parse(body.toString()) as { blockerId: string; userId: string }
        return { isBlocked: blockerId === seller.id && userId === buyer.id }
      })
      const answer = await buy({ listingId: 3, amount: '120.50' })
      expect([answer.status, await answer.json()]).toMatchObject([
        403,
        { code: 'COUNTERPARTY_UNAVAILABLE', message: 'You cannot open a transaction with this person.' },
      ])
      expect(opened()).toEqual([])
    })

    it('only once: escrow’s refusal of a second buyer is passed on', async () => {
      offer()
      services.on('escrow-svc', 'POST', '/internal/transactions', (_, reply) =>
        reply.code(409).send(refusal('LISTING_NOT_AVAILABLE')),
      )
      expect(await codeOfBuying({ listingId: 3, amount: '120.50' })).toEqual([409, 'LISTING_NOT_AVAILABLE'])
    })

    it('with an unknown outcome when the deal is open and its parties cannot be looked up', async () => {
      offer()
      services.on('identity-svc', 'POST', '/internal/users/lookup', (_, reply) =>
        reply.code(503).send(refusal('UNAVAILABLE')),
      )
      const answer = await buy({ listingId: 3, amount: '120.50' })
      expect([answer.status, await answer.json()]).toMatchObject([503, { details: { outcome: 'unknown' } }])
      expect(opened()).toHaveLength(1)
    })

    it('with 503 while listing-svc is down', async () => {
      offer()
      const bringBack = await services.kill('listing-svc')
      expect(await codeOfBuying({ listingId: 3, amount: '120.50' })).toEqual([503, 'UNAVAILABLE'])
      services.on('escrow-svc', 'GET', '/internal/transactions/7', () => record())
      expect((await gateway.ask('GET', '/api/transactions/7', { token })).status).toBe(200)
      await bringBack()
    })
  })
})

const refusal = (code: string) => ({ code, message: code, error: code, details: null, requestId: newId() })
