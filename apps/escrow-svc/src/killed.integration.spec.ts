import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventDifferences, violations, waitingEvents } from '../test/books.js'
import { type DealUnderTest, intentOf, person } from '../test/deal-driver.js'
import { EscrowProcess } from '../test/escrow-process.js'
import type { Moment } from '../test/faulty-proxy.js'
import { succeeded } from '../test/stripe-events.js'

const START_MS = 420_000
const TEST_MS = 180_000
/** Timers look every few seconds, and a machine may be busy. */
const PATIENCE_MS = 60_000

const UNHEARD: Moment['when'] = 'before it is heard'
const DONE: Moment['when'] = 'after it is done'

describe('a service that is killed', () => {
  let escrow: EscrowProcess

  beforeAll(async () => {
    escrow = await EscrowProcess.start()
  }, START_MS)
  afterAll(() => escrow?.stop())

  /** Whatever happened: the books are right, and every event is told once, in order. */
  afterEach(async () => {
    const { admin } = escrow.database
    expect(await violations(admin)).toEqual([])
    await eventually(async () => (await waitingEvents(admin)) === 0, PATIENCE_MS)
    expect(await eventDifferences(admin)).toEqual([])
  }, TEST_MS)

  const intentsOf = (deal: DealUnderTest) =>
    [...escrow.sandbox.context.state.intents.oldestFirst()].filter(
      each => each.metadata.transaction_id === String(deal.id),
    )
  const refundsOf = (intent: string) =>
    [...escrow.sandbox.context.state.refunds.oldestFirst()].filter(refund => refund.intentId === intent)
  const confirmed = (deal: DealUnderTest) =>
    eventually(async () => (await escrow.entries(deal.id)).includes('refund_confirmed'), PATIENCE_MS)

  const aroundTheWrite: [string, Moment['when'], string][] = [
    ['before the money statement reaches PostgreSQL', UNHEARD, 'inspection'],
    ['after PostgreSQL has committed, before the answer reaches the service', DONE, 'completed'],
  ]
  it.each(aroundTheWrite)(
    '%s releases once, and the retry is told so',
    async (_, when, left) => {
      const deal = await escrow.inInspection()
      const key = newId()
      const accept = () => escrow.act(deal.id, deal.buyer, 'accept', undefined, key)
      expect(await escrow.killedAt('database', { saying: 'deal_write', when }, accept)).toBe('nothing')
      expect(await escrow.status(deal.id)).toBe(left)
      expect(await accept()).toMatchObject({ status: 200, body: { status: 'completed' } })
      expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
    },
    TEST_MS,
  )

  it(
    'after the release, and asked again without a key, says where the deal is and releases nothing more',
    async () => {
      const deal = await escrow.inInspection()
      const accept = () => escrow.act(deal.id, deal.buyer, 'accept')
      await escrow.killedAt('database', { saying: 'deal_write', when: DONE }, accept)
      expect(await accept()).toMatchObject({ status: 409, body: { details: { from: 'completed' } } })
      expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
    },
    TEST_MS,
  )

  it.each([UNHEARD, DONE])(
    'with the provider’s word in its hands, %s, takes it in when it is told again',
    async when => {
      const deal = await escrow.open()
      const event = succeeded(await escrow.beginPayment(deal), deal.totalMinor)
      const tell = () => escrow.webhook(event)
      expect(await escrow.killedAt('database', { saying: 'deal_write', when }, tell)).toBe('nothing')
      expect(await tell()).toMatchObject({ status: 200 })
      expect(await escrow.entries(deal.id)).toEqual(['charge'])
    },
    TEST_MS,
  )

  it.each([UNHEARD, DONE])(
    'while it asks the provider for a payment, %s, resumes it by the same key: one intent',
    async when => {
      const deal = await escrow.open()
      const key = newId()
      const pay = () => escrow.pay(deal.id, deal.buyer, key)
      const moment = { saying: 'POST /v1/payment_intents HTTP', when }
      expect(await escrow.killedAt('provider', moment, pay)).toBe('nothing')
      const { status, body } = await pay()
      expect(status).toBe(201)
      expect(intentsOf(deal).map(intent => intent.id)).toEqual([intentOf(body.clientSecret)])
      expect(await escrow.count('escrow.payment', deal.id)).toBe(1)
    },
    TEST_MS,
  )

  it(
    'with a payment asked for and not recorded, and never asked again, closes it when the payment window ends',
    async () => {
      const deal = await escrow.open()
      const moment = { saying: 'POST /v1/payment_intents HTTP', when: DONE }
      await escrow.killedAt('provider', moment, () => escrow.pay(deal.id, deal.buyer, newId()))
      await escrow.elapse(deal.id, 2)
      await eventually(async () => (await escrow.status(deal.id)) === 'cancelled', PATIENCE_MS)
      expect(intentsOf(deal).map(intent => intent.status)).toEqual(['canceled'])
    },
    TEST_MS,
  )

  it(
    'after the provider has closed a payment, before the deal is cancelled, cancels it when asked again',
    async () => {
      const deal = await escrow.open()
      await escrow.beginPayment(deal)
      const key = newId()
      const cancel = () => escrow.cancel(deal.id, deal.buyer, key)
      expect(await escrow.killedAt('provider', { saying: '/cancel HTTP', when: DONE }, cancel)).toBe('nothing')
      expect(await escrow.status(deal.id)).toBe('pending')
      expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } })
      expect(intentsOf(deal).map(intent => intent.status)).toEqual(['canceled'])
    },
    TEST_MS,
  )

  const refunding: [string, 'database' | 'provider', Moment][] = [
    ['before the provider hears of the refund', 'provider', { saying: 'POST /v1/refunds', when: UNHEARD }],
    [
      'after the provider has sent it, before the service hears',
      'provider',
      { saying: 'POST /v1/refunds', when: DONE },
    ],
    ['before the confirmation is posted', 'database', { saying: 'refund_confirmed', when: UNHEARD }],
  ]
  it.each(refunding)(
    'while a refund is sent, %s, sends it once and posts it once',
    async (_, where, moment) => {
      const deal = await escrow.paidAtProvider()
      const refund = async () => {
        const { status } = await escrow.act(deal.id, deal.seller, 'refund')
        expect(status).toBe(200)
      }
      await escrow.killedAt(where, moment, refund)
      await confirmed(deal)
      expect(refundsOf(deal.intent).map(each => [each.amount, each.status])).toEqual([[deal.totalMinor, 'succeeded']])
      expect((await escrow.entries(deal.id)).filter(kind => kind !== 'provider_fee')).toEqual([
        'charge',
        'refund',
        'refund_confirmed',
      ])
    },
    TEST_MS,
  )

  it.each([UNHEARD, DONE])(
    'while its relay publishes, %s, tells every event once',
    async when => {
      const deal = await escrow.paid()
      await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, PATIENCE_MS)
      const confirm = () => escrow.act(deal.id, deal.buyer, 'confirm-delivery')
      await escrow.killedAt('database', { saying: 'events-publish', when }, confirm)
      expect(await escrow.status(deal.id)).toBe('inspection')
    },
    TEST_MS,
  )

  it(
    'while a deal opens has opened nothing, or says that it is yours',
    async () => {
      const buyer = person()
      const body = { terms: escrow.terms(person()), buyerId: buyer.id }
      const open = () => escrow.request<{ id: number }>('POST', '/internal/transactions', { actor: buyer, body })
      const moment = { saying: 'escrow.transaction.opened.v1', when: DONE }
      expect(await escrow.killedAt('database', moment, open)).toBe('nothing')
      expect((await open()).status).toBe(201)
      const again = await open()
      expect(again).toMatchObject({ status: 409, body: { code: 'LISTING_NOT_AVAILABLE' } })
    },
    TEST_MS,
  )
})
