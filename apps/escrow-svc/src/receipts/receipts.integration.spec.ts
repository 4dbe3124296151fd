import type { HistoryLine, PaymentReceiptRecord } from '@holdfast/contracts/receipts'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { userActor } from '@holdfast/testing/signed-client'
import { chargeback, refundEvent, succeeded } from '@holdfast/testing/stripe-events'
import { RunningEscrow } from '../../test/running-escrow.js'
import { DealsService } from '../deals/deals.service.js'
import { ProviderFeesService } from '../payments/provider-fees.service.js'
import { RefundsService } from '../payments/refunds.service.js'
import { StripeProvider } from '../payments/stripe.provider.js'

const CARD = { brand: 'visa', last4: '4242' }

describe('the history of a user’s money', () => {
  let escrow: RunningEscrow
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const history = async (actor: UserActor, query = '') => {
    const { status, body, headers } = await escrow.request<HistoryLine[]>('GET', `/api/payments${query}`, { actor })
    expect(status).toBe(200)
    return { lines: body, next: /<\/api\/payments\?([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] }
  }
  const receipt = (id: string, actor: UserActor | null) =>
    escrow.request<PaymentReceiptRecord & { code?: string }>('GET', `/internal/payments/${id}`, { actor })
  const paymentOf = async (id: number) =>
    (await escrow.row<{ id: string }>('SELECT id FROM escrow.payment WHERE transaction_id = $1', [id])).id

  it('has a payment with its fees, its card and its receipt, for its payer alone', async () => {
    const deal = await escrow.paidAtProvider()
    const { lines } = await history(deal.buyer)
    const paymentId = await paymentOf(deal.id)
    expect(lines).toEqual([
      {
        ...{ id: paymentId, kind: 'payment', state: 'paid', paymentId, transactionId: deal.id, title: 'Camera' },
        ...{ method: 'card', card: null, amount: '107.00', fees: '7.00', currency: 'USD', at: expect.any(String) },
      },
    ])
    const { status, body } = await receipt(paymentId, deal.buyer)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      number: `${deal.id}-${paymentId.slice(-12).toUpperCase()}`,
      ...{ state: 'paid', purpose: 'purchase', hasTransactionPage: true, title: 'Camera', method: 'card', card: CARD },
      ...{ buyerId: deal.buyer.id, sellerId: deal.seller.id, paidAt: expect.any(String) },
      lines: [
        { code: 'purchase_amount', label: 'Purchase Amount', amount: '100.00' },
        { code: 'platform_fee', label: 'Platform Fee (2%)', amount: '2.00' },
        { code: 'processing_fee', label: 'Processing Fee', amount: '5.00' },
      ],
      ...{ total: '107.00', received: null, refunds: [], chargebacks: [], returned: '0.00' },
    })
    // The provider was asked for the receipt. Now the list knows the card, too.
    expect((await history(deal.buyer)).lines[0]!.card).toEqual(CARD)
    for (const other of [deal.seller, userActor()]) {
      expect(await receipt(paymentId, other)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      expect((await history(other)).lines).toEqual([])
    }
    expect((await receipt(newId(), deal.buyer)).status).toBe(404)
    expect((await receipt('not-an-id', deal.buyer)).status).toBe(404)
    expect((await escrow.request('GET', '/api/payments', { actor: null })).status).toBe(401)
  })

  it('has no payment that was begun and never paid', async () => {
    const deal = await escrow.open()
    await escrow.beginPayment(deal)
    expect((await history(deal.buyer)).lines).toEqual([])
    expect((await receipt(await paymentOf(deal.id), deal.buyer)).status).toBe(404)
  })

  it('names the card from the provider’s fee when no receipt was read before', async () => {
    const deal = await escrow.paidAtProvider()
    const { id } = await escrow.row<{ id: string }>(
      'UPDATE escrow.payment SET fee_due_at = now() WHERE transaction_id = $1 RETURNING id',
      [deal.id],
    )
    await escrow.service.app.get(ProviderFeesService).record(id)
    expect((await history(deal.buyer)).lines[0]!.card).toEqual(CARD)
  })

  it('gives a receipt without a card while the provider does not answer, and asks it rarely', async () => {
    const deal = await escrow.paid()
    const asked = jest.spyOn(escrow.service.app.get(StripeProvider), 'getIntent').mockRejectedValue(new Error('away'))
    const paymentId = await paymentOf(deal.id)
    for (let n = 0; n < 3; n++) expect(await receipt(paymentId, deal.buyer)).toMatchObject({ body: { card: null } })
    expect(asked).toHaveBeenCalledTimes(1)
    asked.mockRestore()
  })

  it('has a refund from its beginning to its end, and its receipt says what came back', async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.dependencies.control('/settings', { refunds: 'by_hand' })
    await escrow.act(deal.id, deal.seller, 'refund')
    const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [deal.id])
    const paymentId = await paymentOf(deal.id)
    const line = { id, kind: 'refund', paymentId, amount: '107.00', fees: '0.00', method: 'card' }
    expect((await history(deal.buyer)).lines).toMatchObject([{ ...line, state: 'on_its_way' }, { kind: 'payment' }])
    expect((await receipt(paymentId, deal.buyer)).body).toMatchObject({
      refunds: [{ id, state: 'on_its_way', amount: '107.00' }],
      returned: '0.00',
    })
    await escrow.service.app.get(RefundsService).send(id)
    const { provider_refund_id: sent } = await escrow.row<{ provider_refund_id: string }>(
      'SELECT provider_refund_id FROM escrow.refund WHERE id = $1',
      [id],
    )
    const event = { id: sent, refundId: id, intent: deal.intent, amount: 10_700 }
    await escrow.webhook(refundEvent('refund.updated', { ...event, status: 'succeeded' }))
    expect((await history(deal.buyer)).lines[0]).toMatchObject({ ...line, state: 'returned' })
    expect((await receipt(paymentId, deal.buyer)).body).toMatchObject({ state: 'paid', returned: '107.00' })
    await escrow.webhook(
      refundEvent('refund.failed', { ...event, status: 'failed', failure_reason: 'expired_or_canceled_card' }),
    )
    expect((await history(deal.buyer)).lines[0]).toMatchObject({ ...line, state: 'failed' })
    expect((await receipt(paymentId, deal.buyer)).body).toMatchObject({ returned: '0.00' })
  })

  it('has a chargeback, open and lost, under the same id', async () => {
    const deal = await escrow.inInspection()
    await escrow.act(deal.id, deal.buyer, 'accept')
    await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'created'))
    const [open, payment] = (await history(deal.buyer)).lines
    expect([open, payment]).toMatchObject([
      { kind: 'chargeback', state: 'open', amount: '107.00', paymentId: payment!.id },
      { kind: 'payment', state: 'paid' },
    ])
    await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'lost'))
    const { lines } = await history(deal.buyer)
    expect(lines).toMatchObject([{ id: open!.id, state: 'lost' }, { id: payment!.id }])
    expect((await receipt(payment!.id, deal.buyer)).body).toMatchObject({
      chargebacks: [{ id: open!.id, state: 'lost', amount: '107.00' }],
      returned: '107.00',
    })
    expect((await history(deal.seller)).lines).toEqual([])
  })

  it('has a payment that came too late, although its deal has no page any more', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    // The deal is cancelled without cancelling the payment at the provider.
    await escrow.service.app.get(DealsService).cancel(deal.id, { userId: deal.buyer.id, key: null })
    await escrow.webhook(succeeded(intent, deal.totalMinor))
    const { lines } = await history(deal.buyer)
    expect(lines).toMatchObject([
      { kind: 'refund', state: 'on_its_way' },
      { kind: 'payment', state: 'paid', fees: '7.00' },
    ])
    expect((await receipt(lines[1]!.id, deal.buyer)).body).toMatchObject({
      ...{ purpose: 'late', hasTransactionPage: false, paidAt: expect.any(String), total: '107.00' },
      refunds: [{ amount: '107.00' }],
    })
  })

  it('is paged without a line that is missing or comes twice, although new lines come meanwhile', async () => {
    const buyer = userActor()
    const pay = async () => {
      const deal = await escrow.open({}, buyer)
      const intent = await escrow.beginPayment(deal)
      await escrow.webhook(succeeded(intent, deal.totalMinor))
      return { ...deal, intent }
    }
    const deals = [await pay(), await pay(), await pay()]
    await escrow.act(deals[0]!.id, deals[0]!.seller, 'refund')
    await escrow.webhook(chargeback(deals[1]!.intent, deals[1]!.totalMinor, 'created'))
    const all = (await history(buyer)).lines
    expect(all.map(({ kind }) => kind)).toEqual(['chargeback', 'refund', 'payment', 'payment', 'payment'])

    const seen: HistoryLine[] = []
    let next: string | undefined = 'limit=2'
    for (let n = 0; next !== undefined && n < 5; n++) {
      const page = await history(buyer, `?${next}`)
      seen.push(...page.lines)
      next = page.next
      if (n === 0) await pay()
    }
    expect(next).toBeUndefined()
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect((await history(buyer, `?transactionId=${deals[0]!.id}`)).lines.map(({ kind }) => kind)).toEqual([
      'refund',
      'payment',
    ])
    expect(await escrow.request('GET', '/api/payments?before=7', { actor: buyer })).toMatchObject({
      status: 400,
      body: { details: { fields: { before: expect.any(String) } } },
    })
  })
})
