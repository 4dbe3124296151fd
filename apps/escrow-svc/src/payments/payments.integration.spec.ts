import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { declined, person, RunningEscrow, succeeded } from '../../test/running-escrow.js'
import { DealsService } from '../deals/deals.service.js'

describe('paying for a deal', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const pay = (
    id: number,
    actor: ReturnType<typeof person> | null,
    key: string | null,
    body: unknown = { method: 'card' },
  ) =>
    escrow.request<{ paymentId: string; code?: string; details?: { fields: object } }>(
      'POST',
      `/api/transactions/${id}/payments`,
      { actor, body, ...(key && { headers: { 'idempotency-key': key } }) },
    )

  it.each(['bank', 'crypto'])('quotes a payment by %s without what a card costs', async method => {
    const deal = await escrow.open({ price: '120.00' })
    const quote = await escrow.request('GET', `/api/transactions/${deal.id}/quote?method=${method}`, {
      actor: deal.buyer,
    })
    expect(quote.body).toEqual({
      currency: 'USD',
      lines: [
        { code: 'purchase_amount', label: 'Purchase Amount', amount: '120.00' },
        { code: 'platform_fee', label: 'Platform Fee (1.5%)', amount: '1.80' },
      ],
      total: '121.80',
    })
  })

  it('quotes the charge to the cent', async () => {
    const deal = await escrow.open({ price: '33.33' })
    const quote = await escrow.request('GET', `/api/transactions/${deal.id}/quote?method=card`, { actor: deal.buyer })
    expect(quote.body).toEqual({
      currency: 'USD',
      lines: [
        { code: 'purchase_amount', label: 'Purchase Amount', amount: '33.33' },
        { code: 'platform_fee', label: 'Platform Fee (2%)', amount: '0.67' },
        { code: 'processing_fee', label: 'Processing Fee', amount: '5.00' },
      ],
      total: '39.00',
    })
  })

  it('gives one payment to many requests at once, whatever their keys', async () => {
    const deal = await escrow.open()
    const answers = await Promise.all([1, 1, 1, 2, 3].map(key => pay(deal.id, deal.buyer, `key-${key}`)))
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(answer => answer.body.paymentId)).size).toBe(1)
    expect(await pay(deal.id, deal.buyer, 'key-1', { method: 'bank' })).toMatchObject({ status: 422 })
  })

  it('needs a key, a method that exists, and the buyer', async () => {
    const deal = await escrow.open()
    expect(await pay(deal.id, deal.buyer, null)).toMatchObject({
      status: 400,
      body: { details: { fields: { 'idempotency-key': 'Required' } } },
    })
    expect(await pay(deal.id, deal.buyer, newId(), { method: 'cash' })).toMatchObject({
      status: 400,
      body: { details: { fields: { method: 'Choose card, bank or crypto' } } },
    })
    expect(await pay(deal.id, deal.buyer, newId(), { method: 'bank' })).toMatchObject({
      status: 400,
      body: { code: 'PAYMENT_METHOD_UNAVAILABLE' },
    })
    expect((await pay(deal.id, deal.seller, newId())).status).toBe(403)
    expect((await pay(deal.id, person(), newId())).status).toBe(404)
    expect((await pay(deal.id, null, newId())).status).toBe(401)
  })

  it('takes the provider’s word once, however often it comes', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    const answers = await Promise.all([event, event, event].map(each => escrow.webhook(each)))
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
    expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
    expect(await escrow.webhook({ ...event, id: 'evt_another' })).toMatchObject({ status: 200 })
    expect(await escrow.entries(deal.id)).toEqual(['charge'])
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('believes nobody but the provider', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    const refused = { status: 400, body: { code: 'WEBHOOK_SIGNATURE_INVALID' } }
    expect(await escrow.webhook(event, 'whsec_somebody_else')).toMatchObject(refused)
    expect(await escrow.webhook(event, undefined, Math.floor(Date.now() / 1000) - 301)).toMatchObject(refused)
    expect(await escrow.webhook({ ...event, livemode: true } as typeof event)).toMatchObject(refused)
    expect(await escrow.status(deal.id)).toBe('pending')
  })

  it('refuses what the provider signed but did not finish, instead of breaking on it', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    const { id, type, livemode } = event
    for (const data of [undefined, {}, { object: null }, { object: { id: 7 } }])
      expect(await escrow.webhook({ id, type, livemode, data } as never)).toMatchObject({
        status: 400,
        body: { code: 'MALFORMED_REQUEST' },
      })
    expect(await escrow.status(deal.id)).toBe('pending')
  })

  it('leaves the deal open after a decline, also when the decline comes after the success', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.webhook(declined(intent))
    expect(await escrow.status(deal.id)).toBe('pending')
    await escrow.webhook(succeeded(intent, deal.totalMinor))
    await escrow.webhook(declined(intent))
    expect(await escrow.status(deal.id)).toBe('paid')
    const { status } = await escrow.row<{ status: string }>('SELECT status FROM escrow.payment WHERE intent_id = $1', [
      intent,
    ])
    expect(status).toBe('succeeded')
  })

  it('sends money back that comes for a cancelled deal, whole', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    // Cancelled behind the provider's back: the payment is not closed there.
    await escrow.service.app.get(DealsService).cancel(deal.id, { userId: deal.buyer.id, key: null })
    expect(await escrow.webhook(succeeded(intent, deal.totalMinor))).toMatchObject({ status: 200 })
    expect(await escrow.entries(deal.id)).toEqual(['stray_payment'])
    const refund = await escrow.row<{ amount_minor: string }>(
      'SELECT amount_minor FROM escrow.refund WHERE transaction_id = $1',
      [deal.id],
    )
    expect(Number(refund.amount_minor)).toBe(deal.totalMinor)
    expect(await escrow.imbalances()).toEqual([])
  })

  it('never takes another amount for the quote', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.webhook(succeeded(intent, deal.totalMinor - 1))
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await escrow.entries(deal.id)).toEqual(['stray_payment'])
  })

  it('closes the payment at the provider before the deal is cancelled', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    expect((await escrow.request('DELETE', `/api/transactions/${deal.id}`, { actor: deal.buyer })).status).toBe(200)
    const response = await fetch(`${escrow.sandbox.context.origin()}/v1/payment_intents/${intent}`, {
      headers: { authorization: 'Bearer sk_test_escrow' },
    })
    expect(await response.json()).toMatchObject({ status: 'canceled' })
  })

  it('asks for a retry when the event is ours and the payment is not recorded yet', async () => {
    const event = succeeded('pi_unknown', 100)
    Object.assign(event.data.object.metadata, { payment_id: newId() })
    expect(await escrow.webhook(event)).toMatchObject({ status: 503 })
    expect(await escrow.webhook(succeeded('pi_of_another_shop', 100))).toMatchObject({ status: 200 })
  })

  it('takes no payment that the provider never takes, and the deal can still be cancelled', async () => {
    const deal = await escrow.open({ price: '2000000.00' })
    const refused = { status: 400, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } }
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject(refused)
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject(refused)
    expect(await escrow.cancel(deal.id, deal.seller)).toMatchObject({ status: 200 })
  })

  it('ends the window of a deal whose payment was refused while nobody looked', async () => {
    const deal = await escrow.open({ price: '2000000.00' })
    // As a crash leaves it: the row is there, and nobody has asked the provider yet.
    await escrow.database.admin.query(
      `INSERT INTO escrow.payment (id, transaction_id, user_id, method, status, amount_minor, currency,
         created_at, updated_at) VALUES ($1, $2, $3, 'card', 'creating', $4, 'USD', now(), now())`,
      [newId(), deal.id, deal.buyer.id, deal.totalMinor],
    )
    await escrow.elapse(deal.id, 2)
    await escrow.pass(deal.id)
    expect(await escrow.status(deal.id)).toBe('cancelled')
  })

  it('leaves no payment open at the provider when paying begins while the deal is cancelled', async () => {
    for (let round = 0; round < 8; round++) {
      const deal = await escrow.open()
      const [paid, cancelled] = await Promise.all([
        pay(deal.id, deal.buyer, newId()),
        escrow.cancel(deal.id, deal.seller),
      ])
      expect([201, 409]).toContain(paid.status)
      expect(cancelled.status).toBe(200)
      const open = [...escrow.sandbox.context.state.intents.oldestFirst()].filter(
        intent => intent.metadata.transaction_id === String(deal.id) && intent.status !== 'canceled',
      )
      expect(open).toEqual([])
    }
  })

  it('sends back what comes for a payment that was closed, although another is open', async () => {
    const deal = await escrow.open()
    const first = await escrow.beginPayment(deal)
    await escrow.database.admin.query(`UPDATE escrow.payment SET status = 'cancelled' WHERE intent_id = $1`, [first])
    const second = await escrow.beginPayment(deal)
    expect(second).not.toBe(first)
    expect(await escrow.webhook(succeeded(first, deal.totalMinor))).toMatchObject({ status: 200 })
    expect(await escrow.webhook(succeeded(second, deal.totalMinor))).toMatchObject({ status: 200 })
    expect(await escrow.entries(deal.id)).toEqual(['stray_payment', 'charge'])
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('lets the seller give everything back, once', async () => {
    const deal = await escrow.paid()
    const answers = await Promise.all([1, 2, 3].map(() => escrow.act(deal.id, deal.seller, 'refund')))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409, 409])
    expect((await escrow.entries(deal.id)).filter(kind => kind === 'refund')).toHaveLength(1)
    const one = async () =>
      (
        await escrow.row<{ n: number }>('SELECT count(*)::int AS n FROM escrow.refund WHERE transaction_id = $1', [
          deal.id,
        ])
      ).n
    expect(await eventually(one)).toBe(1)
  })
})
