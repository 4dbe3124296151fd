import type { PaymentReceiptRecord } from '@holdfast/contracts/receipts'
import { PublicUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { answerPeople, aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const AT = '2026-11-21T10:00:00.000Z'

describe('the receipt of a payment', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => services.clear())

  const record = (changes: Partial<PaymentReceiptRecord> = {}): PaymentReceiptRecord => ({
    ...{ paymentId: newId(), number: '7-3F2A91BC07DE', state: 'paid', purpose: 'purchase', transactionId: 7 },
    ...{ hasTransactionPage: true, title: 'A watch', buyerId: newId(), sellerId: newId(), method: 'card', card: null },
    ...{ createdAt: AT, paidAt: AT, currency: 'USD', lines: [], total: '107.00', received: null },
    ...{ refunds: [], chargebacks: [], returned: '0.00' },
    ...changes,
  })

  it('names its parties without their addresses, and a party whose account is gone as a closed account', async () => {
    const buyer = aPerson('Ana')
    const { token } = services.signIn({ id: buyer.id })
    answerPeople(services, [buyer])
    const shown = record({ buyerId: buyer.id })
    services.on('escrow-svc', 'GET', `/internal/payments/${shown.paymentId}`, () => shown)
    const answer = await gateway.ask('GET', `/api/payments/${shown.paymentId}`, { token })
    expect(answer.status).toBe(200)
    const { buyerId, sellerId, ...rest } = shown
    const body = (await answer.json()) as { seller: { id: string; username: string } }
    expect(body).toMatchObject({
      ...rest,
      buyer: PublicUser.parse(buyer),
      seller: { id: sellerId, username: 'closed-account' },
    })
    expect(JSON.stringify(body)).not.toContain(buyer.email)
    const [call] = services.received.filter(({ url }) => url.startsWith('/internal/payments/'))
    expect(call!.caller!.actor).toMatchObject({ kind: 'user', id: buyerId })
  })

  it('is not found where escrow-svc does not find it, and needs a session', async () => {
    const { token } = services.signIn()
    const id = newId()
    services.on('escrow-svc', 'GET', `/internal/payments/${id}`, (_, reply) =>
      reply
        .code(404)
        .send({ code: 'NOT_FOUND', message: 'Not found.', error: 'Not found.', details: null, requestId: 'x' }),
    )
    expect(await gateway.codeOf('GET', `/api/payments/${id}`, { token })).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('GET', `/api/payments/${id}`)).toEqual([401, 'UNAUTHENTICATED'])
    expect(await gateway.codeOf('GET', '/api/payments/seven', { token })).toEqual([404, 'NOT_FOUND'])
  })
})
