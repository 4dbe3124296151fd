import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { type DealUnderTest, intentOf } from '../test/deal-driver.js'
import { type CallResult, EscrowProcess } from '../test/escrow-process.js'
import type { FaultPoint } from '../test/faulty-proxy.js'
import { eventDifferences, waitingEvents } from '../test/published-events.js'
import { violations } from './ledger/invariants.js'

const START_MS = 420_000
const TEST_MS = 180_000
/** The timers sweep every few seconds, and the machine may be busy. */
const WITHIN_MS = 60_000

const BEFORE_DELIVERY: FaultPoint['when'] = 'before the request is delivered'
const AFTER_ANSWER: FaultPoint['when'] = 'after the request is answered'

describe('a service that is killed and started again', () => {
  let escrow: EscrowProcess

  beforeAll(async () => {
    escrow = await EscrowProcess.start()
  }, START_MS)
  afterAll(() => escrow?.stop())

  /** After every test no invariant is violated, and each event was published once, in order. */
  afterEach(async () => {
    const { admin } = escrow.database
    expect(await violations(admin)).toEqual([])
    await eventually(async () => (await waitingEvents(admin)) === 0, WITHIN_MS)
    expect(await eventDifferences(admin)).toEqual([])
  }, TEST_MS)

  const intentsOf = (deal: DealUnderTest) =>
    [...escrow.sandbox.context.state.intents.oldestFirst()].filter(
      each => each.metadata.transaction_id === String(deal.id),
    )
  const refundsOf = (intent: string) =>
    [...escrow.sandbox.context.state.refunds.oldestFirst()].filter(refund => refund.intentId === intent)
  /** What happened to a deal by its published events, in order. */
  const publishedOf = async (deal: DealUnderTest): Promise<string[]> => {
    const sql = `SELECT split_part(type, '.', 3) AS name FROM events.log
      WHERE topic = 'escrow.transaction' AND key = $1 ORDER BY position`
    return (await escrow.database.admin.query<{ name: string }>(sql, [String(deal.id)])).rows.map(row => row.name)
  }
  const refundIsPosted = (deal: DealUnderTest) =>
    eventually(async () => (await escrow.entries(deal.id)).includes('refund_confirmed'), WITHIN_MS)

  const writes: [string, FaultPoint['when'], string][] = [
    ['before the money statement reaches PostgreSQL', BEFORE_DELIVERY, 'inspection'],
    ['after PostgreSQL has committed, before the answer reaches the service', AFTER_ANSWER, 'completed'],
  ]
  it.each(writes)(
    '%s, releases once, and the retry gets that answer',
    async (_, when, statusAfterCrash) => {
      const deal = await escrow.inInspection()
      const key = newId()
      const accept = () => escrow.act(deal.id, deal.buyer, 'accept', undefined, key)
      expect(await escrow.killAt('database', { text: 'deal_write', when }, accept)).toBe('no answer')
      expect(await escrow.status(deal.id)).toBe(statusAfterCrash)
      expect(await accept()).toMatchObject({ status: 200, body: { status: 'completed' } })
      expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
    },
    TEST_MS,
  )

  it(
    'after the release, answers a retry without a key with the deal’s status, and releases nothing more',
    async () => {
      const deal = await escrow.inInspection()
      const accept = () => escrow.act(deal.id, deal.buyer, 'accept')
      expect(await escrow.killAt('database', { text: 'deal_write', when: AFTER_ANSWER }, accept)).toBe('no answer')
      expect(await accept()).toMatchObject({ status: 409, body: { details: { from: 'completed' } } })
      expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
    },
    TEST_MS,
  )

  it.each([BEFORE_DELIVERY, AFTER_ANSWER])(
    'while it handles a webhook, %s, handles the event when it is sent again',
    async when => {
      const deal = await escrow.open()
      const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
      const send = () => escrow.webhook(event)
      expect(await escrow.killAt('database', { text: 'deal_write', when }, send)).toBe('no answer')
      expect(await send()).toMatchObject({ status: 200 })
      expect(await escrow.entries(deal.id)).toEqual(['charge'])
    },
    TEST_MS,
  )

  it.each([BEFORE_DELIVERY, AFTER_ANSWER])(
    'while it creates an intent, %s, resumes the payment with the same intent',
    async when => {
      const deal = await escrow.open()
      const key = newId()
      const pay = () => escrow.pay(deal.id, deal.buyer, key)
      const point = { text: 'POST /v1/payment_intents HTTP', when }
      expect(await escrow.killAt('provider', point, pay)).toBe('no answer')
      const { status, body } = await pay()
      expect(status).toBe(201)
      expect(intentsOf(deal).map(intent => intent.id)).toEqual([intentOf(body.clientSecret)])
      expect(await escrow.count('escrow.payment', deal.id)).toBe(1)
    },
    TEST_MS,
  )

  it(
    'after an intent was created and before it was recorded, cancels the intent when the payment window ends',
    async () => {
      const deal = await escrow.open()
      const point = { text: 'POST /v1/payment_intents HTTP', when: AFTER_ANSWER }
      const pay = () => escrow.pay(deal.id, deal.buyer, newId())
      expect(await escrow.killAt('provider', point, pay)).toBe('no answer')
      await escrow.elapse(deal.id, 2)
      await eventually(async () => (await escrow.status(deal.id)) === 'cancelled', WITHIN_MS)
      expect(intentsOf(deal).map(intent => intent.status)).toEqual(['canceled'])
    },
    TEST_MS,
  )

  it(
    'after a payment was cancelled and before its deal was, cancels the deal when the request is repeated',
    async () => {
      const deal = await escrow.open()
      await escrow.beginPayment(deal)
      const key = newId()
      const cancel = () => escrow.cancel(deal.id, deal.buyer, key)
      expect(await escrow.killAt('provider', { text: '/cancel HTTP', when: AFTER_ANSWER }, cancel)).toBe('no answer')
      expect(await escrow.status(deal.id)).toBe('pending')
      expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } })
      expect(intentsOf(deal).map(intent => intent.status)).toEqual(['canceled'])
    },
    TEST_MS,
  )

  const refunds: [string, 'database' | 'provider', FaultPoint][] = [
    ['before the provider receives it', 'provider', { text: 'POST /v1/refunds', when: BEFORE_DELIVERY }],
    ['after the provider has made it', 'provider', { text: 'POST /v1/refunds', when: AFTER_ANSWER }],
    ['before the confirmation is posted', 'database', { text: 'refund_confirmed', when: BEFORE_DELIVERY }],
  ]
  it.each(refunds)(
    'while it sends a refund, %s, sends it once and posts it once',
    async (_, where, point) => {
      const deal = await escrow.paidAtProvider()
      expectDoneIfAnswered(await escrow.killAt(where, point, () => escrow.act(deal.id, deal.seller, 'refund')))
      await refundIsPosted(deal)
      expect(refundsOf(deal.intent).map(each => [each.amount, each.status])).toEqual([[deal.totalMinor, 'succeeded']])
      expect((await escrow.entries(deal.id)).filter(kind => kind !== 'provider_fee')).toEqual([
        'charge',
        'refund',
        'refund_confirmed',
      ])
    },
    TEST_MS,
  )

  it.each([BEFORE_DELIVERY, AFTER_ANSWER])(
    'while it publishes events, %s, publishes each once',
    async when => {
      const deal = await escrow.paid()
      await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, WITHIN_MS)
      const confirm = () => escrow.act(deal.id, deal.buyer, 'confirm-delivery')
      expectDoneIfAnswered(await escrow.killAt('database', { text: 'events-publish', when }, confirm))
      await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, WITHIN_MS)
      expect(await publishedOf(deal)).toEqual(['opened', 'paid', 'delivered', 'inspection_started'])
    },
    TEST_MS,
  )

  it(
    'while it opens a deal, opens nothing, and the buyer can then open the deal once',
    async () => {
      const buyer = userActor()
      const body = { terms: escrow.terms(userActor()), buyerId: buyer.id, purchase: null }
      const open = () => escrow.request<{ id: number }>('POST', '/internal/transactions', { actor: buyer, body })
      const point = { text: 'escrow.transaction.opened.v1', when: AFTER_ANSWER }
      expect(await escrow.killAt('database', point, open)).toBe('no answer')
      expect((await open()).status).toBe(201)
      const again = await open()
      expect(again).toMatchObject({ status: 409, body: { code: 'LISTING_NOT_AVAILABLE' } })
    },
    TEST_MS,
  )
})

/** A command whose work goes on in the background may be answered before the kill. */
function expectDoneIfAnswered(got: CallResult<{ readonly status: number }>): void {
  if (got !== 'no answer') expect(got.answer.status).toBe(200)
}
