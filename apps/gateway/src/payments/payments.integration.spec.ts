import { newId } from '@holdfast/kernel/ids'
import { answerPeople, aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const PATH = '/api/transactions/7/payments'
const BEGIN = '/internal/transactions/7/payments'
const PAYMENT = {
  ...{ paymentId: newId(), provider: 'stripe', providerUrl: 'http://localhost:1', status: 'open' },
  ...{ total: '101.50', currency: 'USD' },
}

describe('beginning a payment', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => services.clear())

  const pay = (token: string, body: object, key = newId()) =>
    gateway.ask('POST', PATH, { token, body, headers: { 'idempotency-key': key } })
  const begun = () => services.received.filter(({ url }) => url === BEGIN)
  const bodies = () => begun().map(({ body }) => JSON.parse(String(body)) as unknown)

  it('by bank gives escrow-svc the buyer’s confirmed address, and the key of the request', async () => {
    const buyer = aPerson('Ana')
    const { token } = services.signIn({ id: buyer.id })
    answerPeople(services, [buyer])
    services.on('escrow-svc', 'POST', BEGIN, (_, reply) => reply.code(201).send(PAYMENT))
    const answer = await pay(token, { method: 'bank' }, 'once')
    expect([answer.status, await answer.json()]).toEqual([201, PAYMENT])
    const [call] = begun()
    expect(call!.headers['idempotency-key']).toBe('once')
    expect(call!.caller!.actor).toMatchObject({ kind: 'user', id: buyer.id })
    expect(bodies()).toEqual([{ method: 'bank', payerEmail: buyer.email }])
  })

  it('by bank is refused without a confirmed address, before escrow-svc is asked', async () => {
    const buyer = { ...aPerson('Ana'), emailConfirmed: false }
    const { token } = services.signIn({ id: buyer.id })
    answerPeople(services, [buyer])
    const answer = await pay(token, { method: 'bank' })
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'EMAIL_NOT_CONFIRMED' }])
    expect(begun()).toEqual([])
  })

  it('by card asks for no address: neither a confirmed one nor identity-svc is needed', async () => {
    const { token } = services.signIn()
    services.on('escrow-svc', 'POST', BEGIN, (_, reply) => reply.code(201).send(PAYMENT))
    expect((await pay(token, { method: 'card' })).status).toBe(201)
    expect(bodies()).toEqual([{ method: 'card', payerEmail: null }])
    expect(services.received.filter(({ url }) => url.startsWith('/internal/users'))).toEqual([])
  })

  it('takes no address from the request', async () => {
    const { token } = services.signIn()
    services.on('escrow-svc', 'POST', BEGIN, (_, reply) => reply.code(201).send(PAYMENT))
    await pay(token, { method: 'card', payerEmail: 'else@example.com' })
    expect(bodies()).toEqual([{ method: 'card', payerEmail: null }])
  })
})
