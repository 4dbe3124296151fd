import type { TransactionRecord } from '@holdfast/contracts/transactions'
import { newId } from '@holdfast/kernel/ids'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningEscrow } from '../../test/running-escrow.js'

describe('a request that is repeated after its idempotency key was deleted', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterEach(async () => expect(await escrow.violations()).toEqual([]))
  afterAll(() => escrow.stop())

  async function expireKeys(): Promise<void> {
    await escrow.database.admin.query(`UPDATE escrow.idempotency_key SET created_at = created_at - interval '8 days'`)
    await escrow.service.app.get(IdempotencyCleanup).run()
    const { n } = await escrow.row<{ n: number }>('SELECT count(*)::int AS n FROM escrow.idempotency_key')
    expect(n).toBe(0)
  }

  it('to accept releases the money once', async () => {
    const deal = await escrow.inInspection()
    const accept = () => escrow.act(deal.id, deal.buyer, 'accept', undefined, 'accept-once')
    expect((await accept()).status).toBe(200)
    await expireKeys()
    expect(await accept()).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
    expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
  })

  it('to refund sends one refund', async () => {
    const deal = await escrow.paidAtProvider()
    const refund = () => escrow.act(deal.id, deal.seller, 'refund', undefined, 'refund-once')
    expect((await refund()).status).toBe(200)
    await expireKeys()
    expect((await refund()).status).toBe(409)
    expect(await escrow.count('escrow.refund', deal.id)).toBe(1)
  })

  it('to pay returns the payment that is open', async () => {
    const deal = await escrow.open()
    const first = await escrow.pay(deal.id, deal.buyer, 'pay-once')
    await expireKeys()
    const second = await escrow.pay(deal.id, deal.buyer, 'pay-once')
    expect([second.status, second.body.paymentId]).toEqual([201, first.body.paymentId])
    expect(await escrow.count('escrow.payment', deal.id)).toBe(1)
  })

  it('to buy names the deal that the buyer has already, and opens no other', async () => {
    const [buyer, seller, key] = [userActor(), userActor(), newId()]
    const terms = escrow.terms(seller)
    const purchase = { listingId: terms.listingId, buyerId: buyer.id, amount: terms.price }
    const buy = () =>
      escrow.request<TransactionRecord & { code?: string; details?: object }>('POST', '/internal/transactions', {
        actor: buyer,
        body: { terms, buyerId: buyer.id, purchase },
        headers: { 'idempotency-key': key },
      })
    const first = await buy()
    expect(first.status).toBe(201)
    await expireKeys()
    expect(await buy()).toMatchObject({
      status: 409,
      body: { code: 'LISTING_NOT_AVAILABLE', details: { transactionId: first.body.id } },
    })
  })
})
