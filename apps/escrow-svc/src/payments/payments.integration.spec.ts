import { newId } from '@holdfast/kernel/ids'
import { PAYMENTS_OF_A_DEAL, PAYMENTS_OF_A_USER } from '@holdfast/kernel/payments'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { declined, processing, succeeded } from '@holdfast/testing/stripe-events'
import { untilServed } from '@holdfast/testing/until-served'
import { raceInBatches } from '../../test/races.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import type { EscrowConfig } from '../config.js'
import { DealsService } from '../deals/deals.service.js'
import { FundsService } from './funds.service.js'
import { PaymentsService } from './payments.service.js'
import { ProviderFeesService } from './provider-fees.service.js'
import { StripeProvider } from './stripe.provider.js'

describe('paying for a deal', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const pay = (
    id: number,
    actor: ReturnType<typeof userActor> | null,
    key: string | null,
    body: unknown = { method: 'card' },
  ) =>
    escrow.request<{ paymentId: string; code?: string; details?: { fields: object } }>(
      'POST',
      `/internal/transactions/${id}/payments`,
      { actor, body, ...(key && { headers: { 'idempotency-key': key } }) },
    )

  it.each(['bank', 'crypto'])('quotes a payment by %s without the fees of a card', async method => {
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
      methods: ['card', 'bank', 'crypto'],
    })
  })

  it('quotes a card payment to the cent', async () => {
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
      methods: ['card', 'bank', 'crypto'],
    })
  })

  it('gives one payment to several requests at the same time, whatever their keys', async () => {
    const deal = await escrow.open()
    const answers = await Promise.all([1, 1, 1, 2, 3].map(key => pay(deal.id, deal.buyer, `key-${key}`)))
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(answer => answer.body.paymentId)).size).toBe(1)
    expect(await pay(deal.id, deal.buyer, 'key-1', { method: 'bank', payerEmail: 'a@example.com' })).toMatchObject({
      status: 422,
    })
  })

  it('cannot be begun without end: the provider’s limit of requests is shared by all users', async () => {
    const deal = await escrow.open()
    const fresh = () => pay(deal.id, deal.buyer, newId())
    const answers = await Promise.all(Array.from({ length: PAYMENTS_OF_A_DEAL.attempts + 5 }, fresh))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({
      body: { code: 'RATE_LIMITED', details: { retryAfterSeconds: expect.any(Number) } },
    })
    // Another deal of the same buyer has a count of its own, until the buyer has begun too many in all.
    const other = await escrow.open({}, deal.buyer)
    expect(await pay(other.id, deal.buyer, 'kept')).toMatchObject({ status: 201 })
    await escrow.database.admin.query('UPDATE escrow.attempts SET points = $2 WHERE key LIKE $1', [
      `%${deal.buyer.id}`,
      PAYMENTS_OF_A_USER.attempts,
    ])
    expect(await pay(other.id, deal.buyer, newId())).toMatchObject({ status: 429 })
    // The answer to a key that was used has a secret that is not stored, so the provider is asked for it.
    expect(await pay(other.id, deal.buyer, 'kept')).toMatchObject({ status: 429 })
  })

  describe('with a key that was used', () => {
    const secretOf = ({ body }: { body: object }) => (body as { clientSecret?: string }).clientSecret
    const kept = async (buyer: UserActor) =>
      (
        await escrow.row<{ answer: object }>(
          'SELECT answer FROM escrow.idempotency_key WHERE user_id = $1 AND route = $2',
          [buyer.id, 'payments'],
        )
      ).answer

    it('has the same payment and the secret that the provider has, of which nothing is stored', async () => {
      const deal = await escrow.open()
      const first = await pay(deal.id, deal.buyer, 'once')
      const again = await pay(deal.id, deal.buyer, 'once')
      expect(again).toMatchObject({ status: 201, body: first.body })
      expect(secretOf(first)).toMatch(/_secret_/)
      expect(await kept(deal.buyer)).toEqual({ paymentId: first.body.paymentId })
    })

    it('says what is true now: that it was paid, although no event has said so', async () => {
      const deal = await escrow.open()
      const first = await pay(deal.id, deal.buyer, 'once')
      await escrow.dependencies.confirmCard(secretOf(first)!.split('_secret_')[0]!)
      expect(await pay(deal.id, deal.buyer, 'once')).toMatchObject({ status: 201, body: { status: 'succeeded' } })
      expect(await escrow.status(deal.id)).toBe('paid')
    })

    it.each(['at the provider', 'by another way to pay'])('is refused when its payment was closed %s', async how => {
      const deal = await escrow.open()
      const first = await pay(deal.id, deal.buyer, 'once')
      if (how === 'at the provider')
        await escrow.service.app.get(StripeProvider).cancelIntent(secretOf(first)!.split('_secret_')[0]!)
      else await pay(deal.id, deal.buyer, 'other', { method: 'bank', payerEmail: 'a@example.com' })
      expect(await pay(deal.id, deal.buyer, 'once')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
      expect(await pay(deal.id, deal.buyer, newId())).toMatchObject({ status: 201 })
    })

    it('is answered with 503 while the provider does not answer', async () => {
      const deal = await escrow.open()
      await pay(deal.id, deal.buyer, 'once')
      await escrow.dependencies.control('/faults', { kind: 'refuse', path: '/v1/payment_intents', times: 9 })
      expect(await pay(deal.id, deal.buyer, 'once')).toMatchObject({
        ...{ status: 503, body: { code: 'PAYMENT_PROVIDER_UNAVAILABLE' } },
      })
      await escrow.dependencies.control('/faults', {}, 'DELETE')
    })
  })

  it('needs an idempotency key, a known method, and the buyer', async () => {
    const deal = await escrow.open()
    expect(await pay(deal.id, deal.buyer, null)).toMatchObject({
      status: 400,
      body: { details: { fields: { 'idempotency-key': 'Required' } } },
    })
    expect(await pay(deal.id, deal.buyer, newId(), { method: 'cash' })).toMatchObject({
      status: 400,
      body: { details: { fields: { method: 'Choose card, bank or crypto' } } },
    })
    expect(await pay(deal.id, deal.buyer, newId(), { method: 'crypto' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    })
    expect((await pay(deal.id, deal.seller, newId())).status).toBe(403)
    expect((await pay(deal.id, userActor(), newId())).status).toBe(404)
    // A service that calls for itself, and not for a user.
    expect((await pay(deal.id, null, newId())).status).toBe(403)
  })

  it('records a payment once, however often its event arrives', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    const answers = await Promise.all([event, event, event].map(each => escrow.webhook(each)))
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
    expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
    expect(await escrow.webhook({ ...event, id: 'evt_another' })).toMatchObject({ status: 200 })
    expect(await escrow.entries(deal.id)).toEqual(['charge'])
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('refuses events that the provider did not sign, that are old, or that are of the other mode', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    const refused = { status: 400, body: { code: 'WEBHOOK_SIGNATURE_INVALID' } }
    expect(await escrow.webhook(event, 'whsec_somebody_else')).toMatchObject(refused)
    expect(await escrow.webhook(event, undefined, Math.floor(Date.now() / 1000) - 301)).toMatchObject(refused)
    expect(await escrow.webhook({ ...event, livemode: true } as typeof event)).toMatchObject(refused)
    expect(await escrow.status(deal.id)).toBe('pending')
  })

  it('accepts an event of the other mode about a connected account, and does nothing', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    const ofTestMode = { ...event, livemode: true, account: 'acct_seller' } as typeof event
    expect(await escrow.webhook(ofTestMode)).toMatchObject({ status: 200 })
    expect(await escrow.webhook(ofTestMode, 'whsec_somebody_else')).toMatchObject({ status: 400 })
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('refuses a signed event without the expected fields', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    const { id, type, livemode } = event
    for (const data of [undefined, {}, { object: null }, { object: { id: 7 } }])
      expect(await escrow.webhook({ id, type, livemode, data })).toMatchObject({
        status: 400,
        body: { code: 'MALFORMED_REQUEST' },
      })
    expect(await escrow.status(deal.id)).toBe('pending')
  })

  it('refuses a signed event whose ids cannot be stored, or that pays nothing', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    const paid = succeeded(intent, deal.totalMinor)
    const malformed = [
      { ...paid, id: 'evt_\0' },
      { ...paid, id: null },
      succeeded('pi_\0', deal.totalMinor),
      succeeded(intent, 0),
      succeeded(intent, -deal.totalMinor),
    ]
    for (const event of malformed)
      expect(await escrow.webhook(event)).toMatchObject({ status: 400, body: { code: 'MALFORMED_REQUEST' } })
    expect(await escrow.status(deal.id)).toBe('pending')
  })

  it('keeps the deal pending after a decline, and paid when the decline arrives after the success', async () => {
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

  const silent = (intent: string) =>
    escrow.database.admin.query(
      `UPDATE escrow.payment SET updated_at = now() - interval '1 minute', asked_at = NULL WHERE intent_id = $1`,
      [intent],
    )

  it('is recorded without an event when the buyer waits and the provider has said nothing', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.confirmCard(intent)
    const status = (actor: ReturnType<typeof userActor>) =>
      escrow.request('GET', `/api/transactions/${deal.id}/payment`, { actor })
    expect(await status(deal.buyer)).toMatchObject({ status: 200, body: { status: 'open' } })
    await silent(intent)
    expect(await status(deal.buyer)).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect(await escrow.status(deal.id)).toBe('paid')
    expect(await status(userActor())).toMatchObject({ status: 404 })
    await escrow.webhook(succeeded(intent, deal.totalMinor))
    expect(await escrow.entries(deal.id)).toEqual(['charge'])
  })

  it('is recorded after a start when its event came while the service was down', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.confirmCard(intent)
    await escrow.stopService()
    await silent(intent)
    await escrow.startService()
    expect(await eventually(async () => (await escrow.status(deal.id)) === 'paid', 10_000)).toBe(true)
  })

  it('shows in the timeline a decline whose event arrives after the success', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.webhook(succeeded(intent, deal.totalMinor))
    const late = declined(intent)
    await escrow.webhook(late)
    await escrow.webhook(late)
    const { body } = await escrow.request<{ kind: string }[]>('GET', `/api/transactions/${deal.id}/timeline`, {
      actor: deal.buyer,
    })
    expect(body.map(({ kind }) => kind)).toEqual(['open', 'recordFunds', 'lateDecline'])
  })

  it('keeps processing when the decline of an earlier attempt arrives late', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.dependencies.control('/settings', { cards: 'by_hand' })
    await escrow.dependencies.confirmCard(intent)
    await escrow.dependencies.control('/settings', { cards: 'at_once' })
    await escrow.webhook(processing(intent))
    await escrow.webhook(declined(intent))
    const payment = await escrow.row('SELECT status FROM escrow.payment WHERE intent_id = $1', [intent])
    expect(payment).toEqual({ status: 'processing' })
  })

  it('waits for another card when the decline arrives before the event that the card was taken', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.webhook(declined(intent))
    await escrow.webhook(processing(intent))
    const payment = await escrow.row('SELECT status FROM escrow.payment WHERE intent_id = $1', [intent])
    expect(payment).toEqual({ status: 'open' })
  })

  it('in another currency than the one of its deal is not booked, and its event is kept', async () => {
    const deal = await escrow.open()
    const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
    Object.assign(event.data.object, { currency: 'eur' })
    expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
    expect(await escrow.row('SELECT handled FROM escrow.webhook_event WHERE id = $1', [event.id])).toEqual({
      handled: false,
    })
    expect([await escrow.status(deal.id), await escrow.entries(deal.id)]).toEqual(['pending', []])
  })

  it('refunds a payment for a cancelled deal in full', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    // The deal is cancelled without cancelling the payment at the provider.
    await escrow.service.app.get(DealsService).cancel(deal.id, { userId: deal.buyer.id, key: null })
    expect(await escrow.webhook(succeeded(intent, deal.totalMinor))).toMatchObject({ status: 200 })
    expect(await escrow.entries(deal.id)).toEqual(['stray_payment'])
    const refund = await escrow.row<{ amount_minor: string }>(
      'SELECT amount_minor FROM escrow.refund WHERE transaction_id = $1',
      [deal.id],
    )
    expect(Number(refund.amount_minor)).toBe(deal.totalMinor)
    expect(await escrow.violations()).toEqual([])
  })

  it('does not take an amount that differs from the quote', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    await escrow.webhook(succeeded(intent, deal.totalMinor - 1))
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await escrow.entries(deal.id)).toEqual(['stray_payment'])
  })

  it('cancels the payment at the provider when the deal is cancelled', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    expect((await escrow.request('DELETE', `/api/transactions/${deal.id}`, { actor: deal.buyer })).status).toBe(200)
    const response = await fetch(`${escrow.sandbox.context.origin()}/v1/payment_intents/${intent}`, {
      headers: { authorization: 'Bearer sk_test_escrow' },
    })
    expect(await response.json()).toMatchObject({ status: 'canceled' })
  })

  it('asks the provider to resend an event about a payment whose intent is not recorded yet', async () => {
    const deal = await escrow.open()
    await escrow.dependencies.control('/faults', {
      kind: 'error',
      method: 'POST',
      path: '/v1/payment_intents',
      times: 9,
    })
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject({ status: 503 })
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.payment WHERE transaction_id = $1', [
      deal.id,
    ])
    const event = succeeded('pi_unknown', 100)
    Object.assign(event.data.object.metadata, { payment_id: id })
    expect(await escrow.webhookOnce(event)).toMatchObject({ status: 503 })
    expect(await escrow.webhook(succeeded('pi_of_another_shop', 100))).toMatchObject({ status: 200 })
  })

  it('keeps an event about a payment of ours that is lost since a restore for an operator', async () => {
    const event = succeeded('pi_lost', 100)
    Object.assign(event.data.object.metadata, { payment_id: newId() })
    expect(await escrow.webhook(event)).toMatchObject({ status: 200 })
    expect(
      await escrow.row('SELECT kind, handled, is_unfitting FROM escrow.webhook_event WHERE id = $1', [event.id]),
    ).toEqual({ kind: 'payment_intent.succeeded', handled: false, is_unfitting: true })
  })

  it('is refused by a method that is not offered, and an open one of it goes on', async () => {
    const [open, deal] = [await escrow.open(), await escrow.open()]
    const event = succeeded(await escrow.beginPayment(open), open.totalMinor)
    const { PAYMENT_METHODS: offered } = escrow.service.app.get<EscrowConfig>(CONFIG)
    const all = offered.splice(0, offered.length, 'bank')
    try {
      expect(await pay(deal.id, deal.buyer, newId())).toMatchObject({
        status: 400,
        body: { code: 'PAYMENT_METHOD_UNAVAILABLE' },
      })
      const quote = await escrow.request('GET', `/api/transactions/${deal.id}/quote`, { actor: deal.buyer })
      expect(quote.body).toMatchObject({ methods: ['bank'] })
      await escrow.webhook(event)
      expect(await escrow.status(open.id)).toBe('paid')
    } finally {
      offered.splice(0, offered.length, ...all)
    }
  })

  it('refuses a payment that the provider refuses, and the deal can still be cancelled', async () => {
    const deal = await escrow.open({ price: '2000000.00' })
    const refused = { status: 400, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } }
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject(refused)
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject(refused)
    expect(await escrow.cancel(deal.id, deal.seller)).toMatchObject({ status: 200 })
  })

  it('ends the payment window of a deal whose interrupted payment the provider refuses', async () => {
    const deal = await escrow.open({ price: '2000000.00' })
    // The state after a crash: the payment's row exists, and the provider has not been called.
    await escrow.database.admin.query(
      `INSERT INTO escrow.payment (id, transaction_id, user_id, method, status, amount_minor, currency,
         created_at, updated_at) VALUES ($1, $2, $3, 'card', 'creating', $4, 'USD', now(), now())`,
      [newId(), deal.id, deal.buyer.id, deal.totalMinor],
    )
    await escrow.elapse(deal.id, 2)
    await escrow.fireTimers(deal.id)
    expect(await escrow.status(deal.id)).toBe('cancelled')
  })

  const intentsOf = (id: number) =>
    [...escrow.sandbox.context.state.intents.oldestFirst()].filter(
      ({ metadata }) => metadata.transaction_id === String(id),
    )
  const failing = (kind: 'error' | 'error_after', times: number) =>
    escrow.dependencies.control('/faults', { kind, method: 'POST', path: '/v1/payment_intents', times })

  it('can be paid and cancelled although the provider has stored an error under its key', async () => {
    const deal = await escrow.open()
    await failing('error', 2)
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject({ status: 503 })
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject({ status: 201 })
    const other = await escrow.open()
    await failing('error', 2)
    expect(await pay(other.id, other.buyer, newId())).toMatchObject({ status: 503 })
    expect(await escrow.cancel(other.id, other.seller)).toMatchObject({ status: 200 })
  })

  it('uses the intent that an attempt has created although the provider answered it with an error', async () => {
    const deal = await escrow.open()
    await failing('error_after', 1)
    expect(await pay(deal.id, deal.buyer, newId())).toMatchObject({ status: 201 })
    expect(intentsOf(deal.id)).toHaveLength(1)
  })

  it('cancels an intent of a failed attempt that the provider finds only later', async () => {
    const deal = await escrow.open()
    const intent = await escrow.beginPayment(deal)
    const payment = await escrow.row<{ id: string }>(
      'UPDATE escrow.payment SET check_due_at = now() WHERE intent_id = $1 RETURNING id',
      [intent],
    )
    const lost = await fetch(`${escrow.dependencies.origin}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_escrow' },
      body: new URLSearchParams({
        amount: '100',
        currency: 'usd',
        'metadata[payment_id]': payment.id,
        'metadata[transaction_id]': String(deal.id),
      }),
    })
    expect(lost.status).toBe(200)
    await escrow.service.app.get(PaymentsService).cancelLostIntents(payment.id)
    expect(intentsOf(deal.id).map(({ status }) => status)).toEqual(['requires_payment_method', 'canceled'])
  })

  it('finds every intent of a payment whose failed attempts have made more than the provider sends at once', async () => {
    const provider = escrow.service.app.get(StripeProvider)
    const of = { id: newId(), transactionId: 1, payerEmail: null }
    const payment = { ...of, amountMinor: 100n, currency: 'USD', method: 'card' } as const
    const attempts = Array.from({ length: 103 }, (_, i) => provider.createIntent({ ...payment, attempt: i + 1 }))
    const made = (await Promise.all(attempts)).map(({ id }) => id)
    const found = (await provider.findIntents(payment.id)).map(({ id }) => id)
    expect(found.sort()).toEqual(made.sort())
  })

  it('leaves no intent open when a payment is opened while the deal is being cancelled', async () => {
    const paidStatuses = new Set<number>()
    await raceInBatches(20, async () => {
      const [deal, key] = [await escrow.open(), newId()]
      return async lead => {
        const [paid, cancelled] = await Promise.all([
          lead.one(() => untilServed(() => pay(deal.id, deal.buyer, key))),
          lead.other(() => untilServed(() => escrow.cancel(deal.id, deal.seller))),
        ])
        paidStatuses.add(paid.status)
        expect(cancelled.status).toBe(200)
        const open = [...escrow.sandbox.context.state.intents.oldestFirst()].filter(
          intent => intent.metadata.transaction_id === String(deal.id) && intent.status !== 'canceled',
        )
        expect(open).toEqual([])
      }
    })
    expect(paidStatuses).toEqual(new Set([201, 409]))
  })

  it('refunds money for a cancelled payment while another payment of the deal is open', async () => {
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

  it('lets the seller refund the buyer in full, once', async () => {
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

  it('leaves the payment open when a cancellation is refused because its key was used for another deal', async () => {
    const seller = userActor()
    const [first, deal] = [await escrow.open({}, userActor(), seller), await escrow.open({}, userActor(), seller)]
    await escrow.beginPayment(deal)
    expect(await escrow.cancel(first.id, seller, 'cancel-once')).toMatchObject({ status: 200 })
    expect(await escrow.cancel(deal.id, seller, 'cancel-once')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
    const payment = await escrow.row('SELECT status FROM escrow.payment WHERE transaction_id = $1', [deal.id])
    expect(payment).toEqual({ status: 'open' })
  })

  it('posts the provider’s fee in the fee’s own currency', async () => {
    const { id, intent } = await escrow.paidAtProvider()
    const { state } = escrow.sandbox.context
    const charge = state.charges.get(state.intents.get(intent)!.chargeId!)!
    const movement = state.balance.get(charge.balanceId!)!
    state.balance.put({ ...movement, currency: 'eur' })
    const payment = await escrow.row<{ id: string }>(
      'UPDATE escrow.payment SET fee_due_at = now() WHERE transaction_id = $1 RETURNING id',
      [id],
    )
    await escrow.service.app.get(ProviderFeesService).record(payment.id)
    const { currency } = await escrow.row<{ currency: string }>(
      `SELECT p.currency FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
       WHERE e.transaction_id = $1 AND e.kind = 'provider_fee'`,
      [id],
    )
    expect(currency).toBe('EUR')
  })

  it('reads the provider’s fee after ten minutes of a day, however short a day is', async () => {
    const deal = await escrow.open()
    const intentId = await escrow.beginPayment(deal)
    await escrow.confirmCard(intentId)
    const replica = await escrow.startReplica({ DAY_SECONDS: '90' })
    try {
      const intent = await replica.app.get(StripeProvider).getIntent(intentId)
      await replica.app.get(FundsService).recordRetrieved(intent)
      await eventually(async () => (await escrow.entries(deal.id)).includes('provider_fee'), 20_000)
    } finally {
      await replica.close()
    }
    expect(await escrow.violations()).toEqual([])
  })

  it('posts the provider’s fee once, even if it is read several times at the same time', async () => {
    const { id } = await escrow.paidAtProvider()
    const fees = escrow.service.app.get(ProviderFeesService)
    const payment = await escrow.row<{ id: string }>(
      'UPDATE escrow.payment SET fee_due_at = now() WHERE transaction_id = $1 RETURNING id',
      [id],
    )
    await Promise.all([1, 2, 3, 4].map(() => fees.record(payment.id)))
    await eventually(async () => (await escrow.entries(id)).includes('provider_fee'), 10_000)
    expect((await escrow.entries(id)).filter(kind => kind === 'provider_fee')).toHaveLength(1)
    expect(await escrow.violations()).toEqual([])
  })
})
