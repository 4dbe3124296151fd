import type { DisputeCaseRecord, QueuedDispute } from '@holdfast/contracts/disputes'
import type { TransactionFile } from '@holdfast/contracts/transactions'
import { type PartyUser, PublicUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { answerPeople, aPerson, aRecord } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const AT = '2026-11-21T10:00:00.000Z'
const HASH = '0'.repeat(64)

describe('the case of a dispute', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  let buyer: PartyUser
  let seller: PartyUser
  let noor: PartyUser

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => {
    services.clear()
    buyer = aPerson('Ana')
    seller = aPerson('Ben')
    noor = aPerson('Noor')
    answerPeople(services, [buyer, seller, noor])
  })

  const aCase = (viewerRole: DisputeCaseRecord['viewerRole']): DisputeCaseRecord => ({
    id: 101,
    transactionId: 7,
    buyerId: buyer.id,
    sellerId: seller.id,
    reporterId: buyer.id,
    reason: 'damaged_item',
    description: 'It is in two pieces.',
    status: 'open',
    adminNotes: null,
    resolution: null,
    createdAt: AT,
    title: 'A watch',
    amount: '120.50',
    currency: 'USD',
    viewerRole,
    turn: 'seller',
    actions: [],
    clocks: [],
    evidence: [],
    proposals: [],
    rulingRequest: null,
    rulings: [],
    appeal: null,
    return: null,
    proposedOutcome: null,
    takenBy: null,
    mediatorId: null,
    endedBy: null,
    history: [],
    settlement: null,
  })
  const aFile = (): TransactionFile => ({
    id: 7,
    buyerId: buyer.id,
    sellerId: seller.id,
    status: 'disputed',
    listing: aRecord().listing,
    termsText: '{}',
    termsVersion: '2026-11',
    termsHash: HASH,
    acceptances: [{ party: 'buyer', by: 'paying', termsHash: HASH, at: AT }],
    parcel: null,
    timeline: [],
    ledger: [],
  })
  const answerCase = (viewerRole: DisputeCaseRecord['viewerRole']) =>
    services.on('dispute-svc', 'GET', '/internal/disputes/101', () => aCase(viewerRole))

  it('consists of dispute-svc’s record with the profiles of the parties, without their e-mail addresses', async () => {
    answerCase('buyer')
    const { token } = services.signIn({ id: buyer.id })
    const answer = await gateway.ask('GET', '/api/disputes/101', { token })
    const withoutEmail = (person: PartyUser) => PublicUser.parse(person)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { ...aCase('buyer'), buyer: withoutEmail(buyer), seller: withoutEmail(seller), mediator: null },
    ])
  })

  it('has the profiles of the parties and of the mediator who has taken it in the queue, which only an admin reads', async () => {
    const { id, title } = aCase('mediator')
    const taken = { takenBy: 'other', mediatorId: noor.id }
    const queued = {
      ...{
        ...aCase('mediator'),
        turn: 'mediator',
        proposedTo: null,
        dueAt: AT,
        isEscalated: false,
        waitsForApproval: false,
      },
      ...taken,
    }
    services.on('escrow-svc', 'POST', '/internal/transactions/held', () => [])
    services.on('dispute-svc', 'GET', '/internal/disputes', ({ url }) => {
      expect(url).toBe('/internal/disputes?limit=5&status=resolved')
      return [queued]
    })
    const admin = services.signIn({ role: 'admin' })
    const answer = await gateway.ask('GET', '/api/admin/disputes?limit=5&status=resolved', { token: admin.token })
    expect(await answer.json()).toMatchObject([
      {
        ...{ id, title, ...taken },
        ...{ buyer: { firstName: buyer.firstName }, seller: { firstName: seller.firstName } },
        mediator: { firstName: 'Noor' },
      },
    ])
    const { token } = services.signIn({ id: buyer.id })
    expect(await gateway.codeOf('GET', '/api/admin/disputes', { token })).toEqual([404, 'NOT_FOUND'])
  })

  const queuedCase = (change: Partial<DisputeCaseRecord> = {}) => ({
    ...{
      ...aCase('mediator'),
      turn: 'mediator',
      proposedTo: null,
      dueAt: AT,
      isEscalated: false,
      waitsForApproval: false,
    },
    ...change,
  })
  const queueOf = async () => {
    const admin = services.signIn({ role: 'admin' })
    const answer = await gateway.ask('GET', '/api/admin/disputes', { token: admin.token })
    return [answer.status, ((await answer.json()) as QueuedDispute[]).map(({ id, held }) => [id, held])]
  }

  it('sends a ruling and its approval on with the admins whose word counts, for an admin alone', async () => {
    services.on('identity-svc', 'GET', '/internal/admin/approvers', () => ({ userIds: [noor.id] }))
    const { history: _, ...record } = aCase('mediator')
    for (const path of ['ruling', 'ruling/decision'])
      services.on('dispute-svc', 'POST', `/internal/disputes/101/${path}`, () => ({ ...record, approvalId: null }))
    const ruling = { outcome: 'full_refund', resolution: 'It is broken.' }
    const decision = { requestId: noor.id, decision: 'approve', reason: 'I agree.' }
    const ask = (token: string) =>
      Promise.all([
        gateway.ask('POST', '/api/admin/disputes/101/ruling', {
          token,
          body: ruling,
          headers: { 'idempotency-key': 'one-ruling' },
        }),
        gateway.ask('POST', '/api/admin/disputes/101/ruling/decision', { token, body: decision }),
      ])
    const statuses = async (token: string) => (await ask(token)).map(({ status }) => status)
    expect(await statuses(services.signIn({ id: buyer.id }).token)).toEqual([404, 404])
    expect(await statuses(services.signIn({ role: 'admin' }).token)).toEqual([200, 200])
    const sent = services.received
      .filter(({ url }) => url.startsWith('/internal/disputes/101/ruling'))
      .map(({ body }) => JSON.parse(body.toString()))
    expect(sent).toEqual(
      expect.arrayContaining([
        { ...ruling, approvers: [noor.id] },
        { ...decision, approvers: [noor.id] },
      ]),
    )
  })

  it('says in the queue what is held of each deal, which escrow-svc is asked once', async () => {
    services.on('dispute-svc', 'GET', '/internal/disputes', () => [
      queuedCase(),
      queuedCase({ id: 102, transactionId: 8 }),
      queuedCase({ id: 103, status: 'closed' }),
    ])
    services.on('escrow-svc', 'POST', '/internal/transactions/held', ({ body }) => {
      expect(JSON.parse(body.toString())).toEqual({ transactionIds: [7, 8] })
      return [{ id: 7, held: '97.50' }]
    })
    expect(await queueOf()).toEqual([
      200,
      [
        [101, '97.50'],
        [102, null],
        [103, '97.50'],
      ],
    ])
    expect(services.received.filter(({ url }) => url === '/internal/transactions/held')).toHaveLength(1)
  })

  it('has a queue while escrow-svc does not answer, hides no other fault, and asks it nothing for an empty one', async () => {
    services.on('dispute-svc', 'GET', '/internal/disputes', () => [queuedCase()])
    services.on('escrow-svc', 'POST', '/internal/transactions/held', (_, reply) => reply.code(503).send({}))
    expect(await queueOf()).toEqual([200, [[101, null]]])
    services.on('escrow-svc', 'POST', '/internal/transactions/held', (_, reply) => void reply.raw.destroy())
    expect(await queueOf()).toEqual([200, [[101, null]]])
    services.on('escrow-svc', 'POST', '/internal/transactions/held', (_, reply) => reply.code(422).send({}))
    const { token } = services.signIn({ role: 'admin' })
    expect(await gateway.codeOf('GET', '/api/admin/disputes', { token })).toEqual([500, 'INTERNAL'])
    services.clear()
    answerPeople(services, [buyer, seller, noor])
    services.on('dispute-svc', 'GET', '/internal/disputes', () => [])
    expect(await queueOf()).toEqual([200, []])
    expect(services.received.filter(({ url }) => url === '/internal/transactions/held')).toEqual([])
  })

  it('comes with the terms, the chat and the parcel of the deal for a mediator', async () => {
    answerCase('mediator')
    const message = { id: newId(), transactionId: 7, senderId: buyer.id, content: 'Hi', isSystem: false, createdAt: AT }
    services.on('escrow-svc', 'GET', '/internal/transactions/7/file', () => aFile())
    services.on('messaging-svc', 'GET', '/internal/transactions/7/messages', () => [message])
    const { token } = services.signIn({ role: 'admin' })
    const answer = await gateway.ask('GET', '/api/admin/disputes/101/file', { token })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ dispute: { id: 101 }, transaction: aFile(), messages: [message] })
  })

  it('has pictures of the chat at an address of their own, which a mediator alone may read and nobody keeps', async () => {
    const { token } = services.signIn({ role: 'admin' })
    const id = newId()
    const message = { id, transactionId: 7, senderId: buyer.id, content: '', isSystem: false, createdAt: AT }
    const images = [{ url: `/api/transactions/7/messages/${id}/images/0` }]
    services.on('escrow-svc', 'GET', '/internal/transactions/7/file', () => aFile())
    services.on('messaging-svc', 'GET', '/internal/transactions/7/messages', () => [{ ...message, images }])
    services.on('messaging-svc', 'GET', `/internal/transactions/7/messages/${id}/images/0`, () => ({ jpeg: 'AAEC' }))
    answerCase('mediator')
    const file = await gateway.ask('GET', '/api/admin/disputes/101/file', { token })
    const path = `/api/admin/disputes/101/messages/${id}/images/0`
    expect(await file.json()).toMatchObject({ messages: [{ images: [{ url: path }] }] })
    const picture = await gateway.ask('GET', path, { token })
    expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual([
      ...[200, 'image/jpeg', 'private, no-store'],
    ])
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.of(0, 1, 2))
    answerCase('buyer')
    for (const role of ['admin', 'user'] as const) {
      const party = services.signIn({ id: buyer.id, role })
      expect(await gateway.codeOf('GET', path, { token: party.token })).toEqual([404, 'NOT_FOUND'])
    }
    expect((await gateway.ask('GET', path, {})).status).toBe(404)
  })

  it('does not, for an admin who is a party of the deal, and for a user', async () => {
    answerCase('buyer')
    const party = services.signIn({ id: buyer.id, role: 'admin' })
    expect(await gateway.codeOf('GET', '/api/admin/disputes/101/file', { token: party.token })).toEqual([
      404,
      'NOT_FOUND',
    ])
    const { token } = services.signIn({ id: buyer.id })
    expect(await gateway.codeOf('GET', '/api/admin/disputes/101/file', { token })).toEqual([404, 'NOT_FOUND'])
    expect(services.received.filter(({ url }) => url.endsWith('/file'))).toEqual([])
  })
})
