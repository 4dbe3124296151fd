import { createHash } from 'node:crypto'
import type { QueuedDisputeRecord } from '@holdfast/contracts/disputes'
import { MAX_RETURN_SHIPMENTS } from '@holdfast/kernel/disputes'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { chargeback, refundMadeByHand } from '@holdfast/testing/stripe-events'
import { untilServed } from '@holdfast/testing/until-served'
import { aMediator, CaseDriver } from '../../test/case-driver.js'
import { TwoServices } from '../../test/two-services.js'

let services: TwoServices
beforeAll(async () => {
  services = await TwoServices.start()
})
afterAll(() => services.stop())

/** The buyer paid 100.00 and fees of 7.00; the seller's fee is 1.5 %. */
const RELEASED = { hold: 0, released: 9_850, refunded: 0, revenue: 850, settlements: 1, status: 'completed' }
const REFUNDED = { hold: 0, released: 0, refunded: 10_700, revenue: 0, settlements: 1, status: 'cancelled' }

describe('a settlement', () => {
  test('is posted to the cent when the other side proposes the same amount', async () => {
    const dispute = await CaseDriver.open(services)
    expect(await dispute.propose(dispute.buyer, '40.00')).toMatchObject({ status: 200, body: { status: 'open' } })
    const { id } = await dispute.proposalOf(dispute.buyer)
    expect((await dispute.decline(dispute.seller, id)).status).toBe(200)
    expect((await dispute.propose(dispute.seller, '25')).status).toBe(200)
    expect(await dispute.money()).toMatchObject({ status: 'disputed', hold: 10_700 })
    expect(await dispute.propose(dispute.buyer, '25.00')).toMatchObject({ status: 200, body: { status: 'closed' } })
    // The seller gets 75.00 less 1.13; the fees are 7.00 and 1.13.
    const settled = { status: 'completed', hold: 0, released: 7_387, refunded: 2_500, revenue: 813, settlements: 1 }
    expect(await dispute.money()).toEqual(settled)
    const { proposals, actions, clocks, history, resolution, endedBy } = await dispute.seenBy(dispute.seller)
    expect(endedBy).toBe('settlement')
    expect(proposals.map(({ refundAmount, state }) => [refundAmount, state])).toEqual([
      ['40.00', 'declined'],
      ['25.00', 'accepted'],
    ])
    expect([actions, clocks, resolution]).toEqual([[], [], expect.stringContaining('$25.00')])
    expect(history.map(({ step }) => step)).toEqual([
      'filed',
      'settlement_proposed',
      'settlement_declined',
      'settlement_proposed',
      'settlement_agreed',
      'closed',
    ])
    const { id: disputeId, deal, buyer, seller } = dispute
    const about = { disputeId, transactionId: deal.id, buyerId: buyer.id, sellerId: seller.id, title: 'Camera' }
    const step = { ...about, currency: 'USD', clock: null, turn: 'none', dueAt: null, ruling: null }
    expect(await dispute.progress()).toEqual([
      { ...step, step: 'settlement_proposed', by: 'buyer', refund: '40.00' },
      { ...step, step: 'settlement_declined', by: 'seller', refund: '40.00' },
      { ...step, step: 'settlement_proposed', by: 'seller', refund: '25.00' },
      { ...step, step: 'settlement_agreed', by: 'buyer', refund: '25.00' },
    ])
    await services.agree(dispute.deal)
  })

  test('that accepts names the proposal and its amount, and is refused for any other', async () => {
    const dispute = await CaseDriver.open(services)
    const { buyer, seller } = dispute
    await dispute.propose(seller, '40.00')
    const seen = await dispute.proposalOf(seller)
    await dispute.propose(seller, '25.00')
    const current = await dispute.proposalOf(seller)
    // What the buyer saw was replaced. Neither the old amount nor the new one is settled by that.
    for (const refundAmount of ['40.00', '25.00'])
      expect(await dispute.accept(buyer, { ...seen, refundAmount })).toMatchObject({
        status: 409,
        body: { code: 'PROPOSAL_CHANGED', details: { proposal: current } },
      })
    expect(await dispute.accept(buyer, { ...current, refundAmount: '40.00' })).toMatchObject({ status: 409 })
    expect(await dispute.accept(seller, current)).toMatchObject({ status: 409, body: { details: { proposal: null } } })
    expect(await dispute.money()).toMatchObject({ status: 'disputed', hold: 10_700, settlements: 0 })
    expect((await dispute.seenBy(buyer)).proposals.filter(({ role }) => role === 'buyer')).toEqual([])
    expect(await dispute.accept(buyer, current)).toMatchObject({ status: 200, body: { status: 'closed' } })
    expect(await dispute.money()).toMatchObject({ refunded: 2_500, settlements: 1 })
  })

  test('that accepts is refused after the deal holds another amount, and when the proposal was declined', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.propose(dispute.seller, '20.00')
    const seen = await dispute.proposalOf(dispute.seller)
    const { intent } = dispute.deal
    await services.providerReports(refundMadeByHand('refund.created', { intent, amount: 3_000, status: 'succeeded' }))
    expect(await dispute.accept(dispute.buyer, seen)).toMatchObject({ status: 409, body: { code: 'PROPOSAL_CHANGED' } })
    await dispute.propose(dispute.seller, '20.00')
    const next = await dispute.proposalOf(dispute.seller)
    expect((await dispute.decline(dispute.buyer, seen.id)).body.code).toBe('PROPOSAL_CHANGED')
    expect((await dispute.decline(dispute.buyer, next.id)).status).toBe(200)
    expect(await dispute.accept(dispute.buyer, next)).toMatchObject({
      status: 409,
      body: { code: 'PROPOSAL_CHANGED', details: { proposal: null } },
    })
    expect(await dispute.money()).toMatchObject({ status: 'disputed', settlements: 0 })
  })

  test('of two equal proposals that cross is made once: both parties have proposed this amount', async () => {
    const dispute = await CaseDriver.open(services)
    const answers = await Promise.all([
      dispute.propose(dispute.buyer, '25.00'),
      dispute.propose(dispute.seller, '25.00'),
    ])
    expect(answers.map(({ status, body }) => [status, body.status]).sort()).toEqual([
      [200, 'closed'],
      [200, expect.stringMatching(/open|closed/)],
    ])
    expect(await dispute.money()).toMatchObject({ refunded: 2_500, settlements: 1 })
  })

  test('of everything gives the buyer the fees back, and of nothing releases the deal', async () => {
    const [all, nothing] = await Promise.all([CaseDriver.open(services), CaseDriver.open(services)])
    for (const [dispute, amount, money] of [
      [all, '100.00', REFUNDED],
      [nothing, '0', RELEASED],
    ] as const) {
      await dispute.propose(dispute.seller, amount)
      await dispute.propose(dispute.buyer, amount)
      expect(await dispute.money()).toEqual(money)
    }
  })

  test('is posted once although the answer of escrow is lost', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.propose(dispute.buyer, '30')
    services.line.loseNextAnswer('settle-dispute')
    const first = await dispute.propose(dispute.seller, '30', 'lost')
    expect([first.status, first.body.code]).toEqual([503, 'UNAVAILABLE'])
    await Promise.all([services.repeatCall(dispute.id), services.repeatCall(dispute.id)])
    expect(await dispute.propose(dispute.seller, '30', 'lost')).toMatchObject({
      status: 200,
      body: { status: 'closed' },
    })
    expect(await dispute.money()).toMatchObject({ refunded: 3_000, settlements: 1 })
    await services.agree(dispute.deal)
  })

  test('is posted although escrow was killed while it posted it', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.propose(dispute.buyer, '30')
    const call = services.line.holdNext('settle-dispute')
    const accepting = dispute.propose(dispute.seller, '30')
    await call.made
    const delivered = call.deliver().catch(() => undefined)
    await services.replicas.killEscrow()
    await delivered
    call.lose()
    expect((await accepting).status).toBe(503)
    await services.replicas.startEscrow()
    await services.repeatCall(dispute.id)
    expect(await dispute.money()).toMatchObject({ refunded: 3_000, settlements: 1 })
    await services.agree(dispute.deal)
  })

  test('is refused for more than the price, for a stranger, and for a mediator', async () => {
    const dispute = await CaseDriver.open(services)
    for (const amount of ['100.01', '10.001', '1.000'])
      expect((await dispute.propose(dispute.buyer, amount)).body).toMatchObject({
        code: 'AMOUNT_INVALID',
        message: expect.stringContaining('from $0.00 to $100.00'),
      })
    expect((await dispute.propose(userActor(), '10')).status).toBe(404)
    expect((await dispute.propose(aMediator(), '10')).status).toBe(403)
  })

  test('is taken back when escrow refuses to post it, and both parties are told', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.propose(dispute.buyer, '30')
    const call = services.line.holdNext('settle-dispute')
    const accepting = dispute.propose(dispute.seller, '30')
    await call.made
    await services.providerReports(chargeback(dispute.deal.intent, dispute.deal.totalMinor, 'created'))
    call.lose()
    expect((await accepting).status).toBe(503)
    await expect(services.repeatCall(dispute.id)).rejects.toThrow()
    await services.eventsHandled()
    const { status, proposals, history } = await dispute.seenBy(dispute.buyer)
    expect([status, proposals.map(({ state }) => state)]).toEqual(['open', ['ended']])
    // The news of the chargeback stops the time limits. It arrives before or after the refusal of the call.
    const steps = history.map(({ step }) => step)
    expect(steps.slice(-2).sort()).toEqual(['not_carried_out', 'time_stopped'])
    expect(await dispute.money()).toMatchObject({ hold: 10_700, settlements: 0 })
  })

  test('that was taken back is not posted by its first call, which arrives when the deal would allow it again', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.propose(dispute.buyer, '30')
    const call = services.line.holdNext('settle-dispute')
    const accepting = dispute.propose(dispute.seller, '30')
    await call.made
    const { intent, totalMinor } = dispute.deal
    await services.providerReports(chargeback(intent, totalMinor, 'created', { status: 'warning_needs_response' }))
    call.lose()
    await accepting
    await expect(services.repeatCall(dispute.id)).rejects.toThrow()
    expect((await dispute.seenBy(dispute.buyer)).actions).toEqual(['addEvidence'])
    await services.providerReports(chargeback(intent, totalMinor, 'won', { status: 'warning_closed' }))
    expect(await dispute.money()).toMatchObject({ status: 'disputed', hold: 10_700 })
    expect((await call.deliver()).body.code).toBe('CONFLICT')
    expect(await dispute.money()).toMatchObject({ status: 'disputed', hold: 10_700, settlements: 0 })
    // Until the event has arrived that the bank has decided, nothing is settled.
    await services.eventsHandled()
    await dispute.propose(dispute.buyer, '40')
    expect((await dispute.propose(dispute.seller, '40')).body.status).toBe('closed')
    expect(await dispute.money()).toMatchObject({ refunded: 4_000, settlements: 1 })
    await services.agree(dispute.deal)
  })

  test('or a withdrawal ends the dispute when both come at the same moment, and never both', async () => {
    const disputes = await Promise.all(Array.from({ length: 6 }, () => CaseDriver.open(services)))
    await Promise.all(disputes.map(dispute => untilServed(() => dispute.propose(dispute.buyer, '30'))))
    await Promise.all(
      disputes.map(async dispute => {
        await Promise.all([
          untilServed(() => dispute.propose(dispute.seller, '30')),
          untilServed(() => services.withdraw(dispute.id, dispute.buyer)),
        ])
        await services.agree(dispute.deal)
        const { status, settlements } = await dispute.money()
        expect([
          ['completed', 1],
          ['shipped', 0],
        ]).toContainEqual([status, settlements])
      }),
    )
  })
})

describe('a ruling', () => {
  /** A dispute that the seller has answered. */
  async function answered(): Promise<CaseDriver> {
    const dispute = await CaseDriver.open(services)
    await dispute.addEvidence(dispute.seller, 'It was whole when I sent it.')
    return dispute
  }

  test('waits for the other side’s answer, or for the end of the time to answer', async () => {
    const mediator = aMediator()
    const dispute = await CaseDriver.open(services)
    expect((await dispute.seenBy(mediator)).actions).toEqual(['investigate'])
    expect((await dispute.rule(mediator, { outcome: 'full_refund' })).body.code).toBe('DISPUTE_WRONG_STATE')
    await dispute.endClock('response')
    const { status, turn, actions } = await dispute.seenBy(mediator)
    expect([status, turn, actions]).toEqual(['investigating', 'mediator', ['investigate', 'rule']])
    expect((await dispute.rule(mediator, { outcome: 'full_refund' })).status).toBe(200)
  })

  test('is posted at once when both parties waive their appeal', async () => {
    const dispute = await answered()
    const ruled = await dispute.rule(aMediator(), { outcome: 'partial_refund', refundAmount: '33.33' })
    expect(ruled).toMatchObject({ status: 200, body: { status: 'resolved' } })
    expect(await dispute.money()).toMatchObject({ status: 'disputed', hold: 10_700, settlements: 0 })
    expect((await dispute.command('waive', dispute.buyer)).body.status).toBe('resolved')
    expect((await dispute.seenBy(dispute.seller)).turn).toBe('seller')
    expect((await dispute.command('waive', dispute.buyer)).status).toBe(409)
    expect((await dispute.command('waive', dispute.seller)).body.status).toBe('closed')
    expect(await dispute.money()).toMatchObject({ refunded: 3_333, released: 6_567, revenue: 800, settlements: 1 })
  })

  test.each([
    ['full_refund', REFUNDED],
    ['seller_favor', RELEASED],
  ])('%s is posted when the time to appeal has ended', async (outcome, money) => {
    const dispute = await answered()
    await dispute.rule(aMediator(), { outcome })
    await dispute.endClock('appeal')
    expect(await dispute.money()).toEqual(money)
    expect(await dispute.status()).toBe('closed')
  })

  test('on an appeal is made by another mediator, and is final', async () => {
    const [first, second] = [aMediator(), aMediator()]
    const dispute = await answered()
    await dispute.rule(first, { outcome: 'full_refund' })
    expect((await dispute.command('appeal', dispute.seller, { reason: 'The carrier dropped it.' })).body.status).toBe(
      'investigating',
    )
    expect((await dispute.command('appeal', dispute.buyer, { reason: 'Me too.' })).status).toBe(409)
    expect((await dispute.rule(first, { outcome: 'seller_favor' })).status).toBe(403)
    expect((await dispute.rule(second, { outcome: 'seller_favor' })).body.status).toBe('closed')
    expect(await dispute.money()).toEqual(RELEASED)
    const { rulings, endedBy } = await dispute.seenBy(dispute.buyer)
    expect(endedBy).toBe('ruling')
    expect(rulings.map(({ outcome, isOnAppeal, isFinal }) => [outcome, isOnAppeal, isFinal])).toEqual([
      ['full_refund', false, false],
      ['seller_favor', true, true],
    ])
  })

  test('that was appealed is not made again by its mediator when the return that was ruled instead is contested', async () => {
    const [first, second] = [aMediator(), aMediator()]
    const dispute = await answered()
    await dispute.rule(first, { outcome: 'seller_favor' })
    await dispute.command('appeal', dispute.buyer, { reason: 'It is broken.' })
    await dispute.rule(second, { outcome: 'return_exchange' })
    await dispute.command('return', dispute.buyer, { trackingNumber: 'BACK 9', carrier: 'UPS' })
    await dispute.command('return/contest', dispute.seller, { reason: 'It is another one.' })
    expect((await dispute.seenBy(first)).actions).not.toContain('rule')
    expect((await dispute.rule(first, { outcome: 'seller_favor' })).status).toBe(403)
    expect((await dispute.rule(second, { outcome: 'seller_favor' })).body.status).toBe('closed')
  })

  test('cannot be appealed by a party who has given up the right to appeal; the other party still can', async () => {
    const dispute = await answered()
    await dispute.rule(aMediator(), { outcome: 'seller_favor' })
    expect((await dispute.command('waive', dispute.buyer)).status).toBe(200)
    expect(await dispute.command('appeal', dispute.buyer, { reason: 'I changed my mind.' })).toMatchObject({
      status: 409,
      body: { code: 'DISPUTE_WRONG_STATE' },
    })
    expect((await dispute.command('appeal', dispute.seller, { reason: 'It was repaired.' })).body.status).toBe(
      'investigating',
    )
  })

  test('over a part of the price goes to a mediator again when a part was refunded at the provider since, also when it still fits', async () => {
    const [dispute, mediator] = [await answered(), aMediator()]
    await dispute.rule(mediator, { outcome: 'partial_refund', refundAmount: '60.00' })
    const { intent } = dispute.deal
    await services.providerReports(refundMadeByHand('refund.created', { intent, amount: 3_000, status: 'succeeded' }))
    await dispute.endClock('appeal')
    expect(await dispute.money()).toMatchObject({ status: 'disputed', hold: 7_700, settlements: 0 })
    const { clocks, history } = await dispute.seenBy(dispute.buyer)
    expect([clocks.map(({ kind }) => kind), history.at(-1)?.step]).toEqual([['second_ruling'], 'not_carried_out'])
    await dispute.rule(mediator, { outcome: 'partial_refund', refundAmount: '30.00' })
    expect(await dispute.money()).toMatchObject({ status: 'completed', refunded: 6_000, settlements: 1 })
    await services.agree(dispute.deal)
  })

  test('is made with what went back to the buyer at the provider in view, and not only with what is left', async () => {
    const dispute = await answered()
    const { intent } = dispute.deal
    await services.providerReports(refundMadeByHand('refund.created', { intent, amount: 3_000, status: 'succeeded' }))
    const before = { held: '77.00', refunded: '30.00', chargedBack: '0.00' }
    for (const reader of [dispute.buyer, dispute.seller, aMediator()])
      expect((await dispute.seenBy(reader)).settlement).toMatchObject(before)
  })

  test('over more than the deal holds after a refund at the provider goes to a mediator again', async () => {
    const [dispute, mediator] = [await answered(), aMediator()]
    await dispute.rule(mediator, { outcome: 'partial_refund', refundAmount: '60.00' })
    const { intent } = dispute.deal
    await services.providerReports(refundMadeByHand('refund.created', { intent, amount: 8_000, status: 'succeeded' }))
    await dispute.endClock('appeal')
    expect(await dispute.money()).toMatchObject({ status: 'disputed', hold: 2_700, settlements: 0 })
    const { status, turn, clocks, rulings, history } = await dispute.seenBy(dispute.buyer)
    expect([status, turn, clocks.map(({ kind }) => kind)]).toEqual(['investigating', 'mediator', ['second_ruling']])
    expect(rulings).toMatchObject([{ isFinal: false }])
    expect(history.at(-1)).toMatchObject({ step: 'not_carried_out', by: 'system' })
    expect((await dispute.rule(mediator, { outcome: 'seller_favor' })).body.status).toBe('closed')
    const settled = { status: 'completed', hold: 0, released: 1_970, refunded: 8_000, revenue: 730, settlements: 1 }
    expect(await dispute.money()).toEqual(settled)
    await services.agree(dispute.deal)
  })

  test('is made once when its request is repeated with its key, and needs a key', async () => {
    const [dispute, mediator] = [await answered(), aMediator()]
    const rule = () => dispute.rule(mediator, { outcome: 'full_refund' }, 'one-ruling')
    const answers = [...(await Promise.all([rule(), rule()])), await rule()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { body } of answers) expect(body).toEqual(answers[0]!.body)
    expect((await dispute.seenBy(mediator)).rulings).toHaveLength(1)
    expect((await dispute.rule(mediator, { outcome: 'seller_favor' }, 'one-ruling')).status).toBe(422)
    expect((await services.ask(`/internal/disputes/${dispute.id}/ruling`, mediator, undefined, {})).status).toBe(400)
  })

  test('is refused to a party who is an admin, and hidden from a stranger', async () => {
    const dispute = await answered()
    const buyer = { ...dispute.buyer, role: 'admin' as const }
    expect((await dispute.rule(buyer, { outcome: 'full_refund' })).status).toBe(403)
    expect((await dispute.read(userActor())).status).toBe(404)
  })

  test('that names no amount, too much, or an amount for another outcome names the field', async () => {
    const [dispute, mediator] = [await answered(), aMediator()]
    for (const ruling of [
      { outcome: 'partial_refund' },
      { outcome: 'partial_refund', refundAmount: '0' },
      { outcome: 'partial_refund', refundAmount: '100' },
      { outcome: 'partial_refund', refundAmount: '100.01' },
      { outcome: 'partial_refund', refundAmount: '10.001' },
      { outcome: 'full_refund', refundAmount: '10' },
    ]) {
      const { status, body } = await dispute.rule(mediator, ruling)
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('refundAmount')])
    }
  })
})

test('the queue shows the earliest time limit of each dispute, and is in that order', async () => {
  const dispute = await CaseDriver.open(services)
  const { client } = services.replicas.nextDispute()
  const { body } = await client.request<QueuedDisputeRecord[]>('GET', '/internal/disputes?limit=100', {
    actor: aMediator(),
  })
  const queued = body.find(({ id }) => id === dispute.id)!
  expect(queued.turn).toBe('seller')
  expect(queued.clocks.map(({ kind }) => kind)).toEqual(['first_look', 'response', 'ruling'])
  expect(queued.dueAt).toBe(queued.clocks[0]!.dueAt)
  const limits = body.flatMap(({ dueAt }) => dueAt ?? [])
  expect(limits).toEqual(limits.toSorted())
})

test('the queue shows closed disputes when they are asked for, the newest first', async () => {
  const [older, newer] = [await CaseDriver.open(services), await CaseDriver.open(services)]
  for (const dispute of [newer, older])
    for (const party of [dispute.seller, dispute.buyer]) await dispute.propose(party, '10')
  const { client } = services.replicas.nextDispute()
  const path = '/internal/disputes?status=closed&limit=2'
  const { body } = await client.request<QueuedDisputeRecord[]>('GET', path, { actor: aMediator() })
  expect(body.map(({ id }) => id)).toEqual([newer.id, older.id])
})

describe('a case that a mediator takes', () => {
  const take = (dispute: CaseDriver, mediator: UserActor, body: object = {}) =>
    services.replicas.nextDispute().client.request<{ code?: string }>('PATCH', `/api/admin/disputes/${dispute.id}`, {
      ...{ actor: mediator, body: { status: 'investigating', ...body } },
    })
  const queuedFor = async (mediator: UserActor, { id }: CaseDriver) => {
    const { client } = services.replicas.nextDispute()
    const { body } = await client.request<QueuedDisputeRecord[]>('GET', '/internal/disputes?limit=100', {
      actor: mediator,
    })
    return body.find(each => each.id === id)
  }

  test('is shown as theirs to mediators, and as taken to the parties, until a mediator rules', async () => {
    const [ruth, noor] = [aMediator(), aMediator()]
    const dispute = await CaseDriver.open(services)
    expect(await dispute.seenBy(ruth)).toMatchObject({ takenBy: null, mediatorId: null })
    expect((await take(dispute, ruth)).status).toBe(200)
    expect(await dispute.seenBy(ruth)).toMatchObject({ takenBy: 'reader', mediatorId: ruth.id })
    expect(await queuedFor(noor, dispute)).toMatchObject({ takenBy: 'other', mediatorId: ruth.id })
    for (const party of [dispute.buyer, dispute.seller])
      expect(await dispute.seenBy(party)).toMatchObject({ takenBy: 'other', mediatorId: null })
    await dispute.addEvidence(dispute.seller)
    await dispute.rule(ruth, { outcome: 'full_refund' })
    expect(await dispute.seenBy(ruth)).toMatchObject({ takenBy: null, mediatorId: null })
  })

  test('goes to another mediator only when they say so, also when both take it at the same moment', async () => {
    const [ruth, noor] = [aMediator(), aMediator()]
    const dispute = await CaseDriver.open(services)
    const both = await Promise.all([take(dispute, ruth), take(dispute, noor)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('DISPUTE_TAKEN')
    const { takenBy } = await dispute.seenBy(ruth)
    const [owner, other] = takenBy === 'reader' ? [ruth, noor] : [noor, ruth]
    expect((await take(dispute, owner, { adminNotes: 'Which leg is it?' })).status).toBe(200)
    expect((await take(dispute, other, { takeOver: true })).status).toBe(200)
    const { history, adminNotes } = await dispute.seenBy(other)
    expect(history.map(({ step }) => step)).toEqual(['filed', 'investigation_begun', 'notes_written', 'taken_over'])
    expect(adminNotes).toBe('Which leg is it?')
    expect(await dispute.seenBy(owner)).toMatchObject({ takenBy: 'other', mediatorId: other.id })
  })
})

test('an answer is one entry of the history, and so is each further evidence', async () => {
  const dispute = await CaseDriver.open(services)
  await dispute.addEvidence(dispute.seller, 'It was whole.')
  await dispute.addEvidence(dispute.seller, 'Here is the receipt.')
  const { history } = await dispute.seenBy(dispute.buyer)
  expect(history.map(({ step, by, text }) => [step, by, text])).toEqual([
    ['filed', 'buyer', 'The dispute was filed, and the transaction was put on hold.'],
    ['evidence_added', 'seller', 'The dispute was answered with evidence.'],
    ['evidence_added', 'seller', 'Evidence was added.'],
  ])
})

test('a case is read without its split while escrow hangs', async () => {
  const dispute = await CaseDriver.open(services)
  const call = services.line.holdNext('settlement-terms')
  const askedAt = Date.now()
  const { status, body } = await dispute.read(dispute.buyer)
  expect([status, body.settlement]).toEqual([200, null])
  expect(Date.now() - askedAt).toBeLessThan(8_000)
  call.lose()
})

describe('a return', () => {
  /** A dispute whose buyer is to send the item back. */
  async function toReturn(): Promise<CaseDriver> {
    const dispute = await CaseDriver.open(services)
    await dispute.addEvidence(dispute.seller)
    await dispute.rule(aMediator(), { outcome: 'return_exchange' })
    await dispute.endClock('appeal')
    return dispute
  }
  const parcel = { trackingNumber: 'BACK 1', carrier: 'UPS' }

  test('refunds the buyer in full when the seller has the item back', async () => {
    const dispute = await toReturn()
    const { actions, history } = await dispute.seenBy(dispute.buyer)
    expect(actions).toContain('shipReturn')
    expect(history.find(({ step }) => step === 'ruled')?.text).toContain('the buyer sends the item back')
    expect((await dispute.command('return', dispute.seller, parcel)).status).toBe(403)
    expect((await dispute.command('return', dispute.buyer, parcel)).body.status).toBe('resolved')
    expect((await dispute.seenBy(dispute.seller)).return).toMatchObject({ trackingNumber: 'BACK 1', carrier: 'UPS' })
    await dispute.command('return', dispute.buyer, { trackingNumber: 'OLD', carrier: 'DHL', changed: ['carrier'] })
    expect((await dispute.seenBy(dispute.seller)).return).toMatchObject({ trackingNumber: 'BACK 1', carrier: 'DHL' })
    expect((await dispute.command('return/confirm', dispute.seller)).body.status).toBe('closed')
    expect(await dispute.money()).toEqual(REFUNDED)
    expect((await dispute.seenBy(dispute.buyer)).endedBy).toBe('return')
  })

  test('that the carrier has delivered refunds the buyer when the seller does not contest it in time', async () => {
    const dispute = await toReturn()
    const trackingNumber = `BACK ${dispute.id}`
    await dispute.command('return', dispute.buyer, { trackingNumber })
    await dispute.askCarrier()
    expect((await dispute.seenBy(dispute.seller)).turn).toBe('carrier')
    await services.replicas.deliverParcel(trackingNumber)
    await dispute.askCarrier()
    const { turn, actions, clocks } = await dispute.seenBy(dispute.seller)
    expect([turn, clocks.map(({ kind }) => kind)]).toEqual(['seller', ['return_check']])
    expect(actions).toEqual(expect.arrayContaining(['confirmReturn', 'contestReturn']))
    await dispute.endClock('return_check')
    expect(await dispute.money()).toEqual(REFUNDED)
  })

  test('does not count a delivery of another parcel that had the number before', async () => {
    const trackingNumber = 'USED BEFORE'
    await services.replicas.deliverParcel(trackingNumber)
    const dispute = await toReturn()
    await dispute.command('return', dispute.buyer, { trackingNumber })
    await dispute.askCarrier()
    expect((await dispute.seenBy(dispute.seller)).turn).toBe('carrier')
  })

  test('counts no delivery of the parcel of a deal, or of a return that had the number first', async () => {
    const other = await services.shipped()
    const [first, second, third] = [await toReturn(), await toReturn(), await toReturn()]
    const numbers = [`TWO IN ONE ${first.id}`, `TWO IN ONE ${first.id}`, `D${other.id}`]
    const returns = [first, second, third].map((dispute, nth) => ({ dispute, trackingNumber: numbers[nth]! }))
    for (const { dispute, trackingNumber } of returns) {
      await dispute.command('return', dispute.buyer, { trackingNumber })
      await services.replicas.deliverParcel(trackingNumber)
    }
    const turns: unknown[] = []
    for (const { dispute } of returns) {
      await dispute.askCarrier()
      turns.push((await dispute.seenBy(dispute.seller)).turn)
    }
    expect(turns).toEqual(['seller', 'carrier', 'carrier'])
    expect((await second.command('return/confirm', second.seller)).body.status).toBe('closed')
  })

  test('counts the delivery of a corrected number only after the correction, and keeps the time of a number that stays', async () => {
    const [corrected, respelled] = [await toReturn(), await toReturn()]
    const numbers = [`FIRST ${corrected.id}`, `OF ANOTHER ${corrected.id}`]
    await corrected.command('return', corrected.buyer, { trackingNumber: numbers[0] })
    await services.replicas.deliverParcel(numbers[1]!)
    await corrected.command('return', corrected.buyer, { trackingNumber: numbers[1] })
    await corrected.askCarrier()
    expect((await corrected.seenBy(corrected.seller)).turn).toBe('carrier')
    const trackingNumber = `SAME ${respelled.id}`
    await respelled.command('return', respelled.buyer, { trackingNumber })
    await services.replicas.deliverParcel(trackingNumber)
    await respelled.command('return', respelled.buyer, { trackingNumber: `same${respelled.id}`, carrier: 'UPS' })
    await respelled.askCarrier()
    expect((await respelled.seenBy(respelled.seller)).turn).toBe('seller')
  })

  test('counts no delivery of a number that is corrected while the carrier is asked about it', async () => {
    const dispute = await toReturn()
    const trackingNumber = `ASKED ${dispute.id}`
    const call = services.line.holdNext('track')
    await dispute.command('return', dispute.buyer, { trackingNumber })
    await services.replicas.deliverParcel(trackingNumber)
    const asked = dispute.askCarrier()
    await call.made
    const { status } = await dispute.command('return', dispute.buyer, { trackingNumber: `THEN ${dispute.id}` })
    expect(status).toBe(200)
    await call.answer()
    await asked
    expect((await dispute.seenBy(dispute.seller)).turn).toBe('carrier')
  })

  test('is still asked about after a settlement that escrow refused to post', async () => {
    const dispute = await toReturn()
    await dispute.command('return', dispute.buyer, { trackingNumber: `BACK ${dispute.id}` })
    await dispute.propose(dispute.buyer, '30')
    const call = services.line.holdNext('settle-dispute')
    const accepting = dispute.propose(dispute.seller, '30')
    await call.made
    await dispute.askCarrier()
    await services.providerReports(chargeback(dispute.deal.intent, dispute.deal.totalMinor, 'created'))
    call.lose()
    expect((await accepting).status).toBe(503)
    await expect(services.repeatCall(dispute.id)).rejects.toThrow()
    expect((await dispute.seenBy(dispute.seller)).actions).toContain('contestReturn')
    const { rows } = await services.database.admin.query(
      'SELECT poll_at FROM dispute.return_parcel WHERE dispute_id = $1',
      [dispute.id],
    )
    expect(rows).toEqual([{ poll_at: expect.any(Date) }])
  })

  test('gets only so many tracking numbers', async () => {
    const dispute = await toReturn()
    const statuses: number[] = []
    for (let n = 0; n <= MAX_RETURN_SHIPMENTS; n++)
      statuses.push((await dispute.command('return', dispute.buyer, { trackingNumber: `R${dispute.id}-${n}` })).status)
    expect(statuses).toEqual([...Array.from({ length: MAX_RETURN_SHIPMENTS }, () => 200), 409])
  })

  test('pays the seller when nothing was shipped in time', async () => {
    const dispute = await toReturn()
    await dispute.endClock('return_shipping')
    expect(await dispute.money()).toEqual(RELEASED)
  })

  test('goes to a mediator when the item does not arrive, or the seller contests it, once', async () => {
    const [late, contested] = await Promise.all([toReturn(), toReturn()])
    await late.command('return', late.buyer, parcel)
    await late.endClock('return_arrival')
    expect(await late.status()).toBe('investigating')
    await contested.command('return', contested.buyer, parcel)
    const contest = () => contested.command('return/contest', contested.seller, { reason: 'The box was empty.' })
    expect((await contest()).body.status).toBe('investigating')
    expect((await contest()).status).toBe(409)
    const mediator = aMediator()
    expect((await contested.take(mediator, true)).status).toBe(200)
    expect((await contested.rule(mediator, { outcome: 'return_exchange' })).status).toBe(409)
    expect((await contested.rule(mediator, { outcome: 'partial_refund', refundAmount: '50' })).body.status).toBe(
      'closed',
    )
    expect(await contested.money()).toMatchObject({ refunded: 5_000, settlements: 1 })
  })
})

describe('evidence', () => {
  test('is a chain of hashes that anyone can compute from the answer', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.addEvidence(dispute.buyer, 'First')
    await Promise.all([dispute.addEvidence(dispute.seller, 'Second'), dispute.addEvidence(dispute.buyer, 'Third')])
    const { evidence } = await dispute.seenBy(dispute.seller)
    let previous: string | null = null
    for (const { n, authorId, role, note, images, at, sha256, previousSha256 } of evidence) {
      const fields = [dispute.id, n, authorId, role, note, images.map(image => image.sha256), at, previousSha256]
      expect(previousSha256).toBe(previous)
      expect(createHash('sha256').update(JSON.stringify(fields)).digest('hex')).toBe(sha256)
      previous = sha256
    }
    expect(evidence.map(({ n }) => n)).toEqual([1, 2, 3])
  })

  test('of the other side is their answer, and evidence of the reporter is not', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.addEvidence(dispute.buyer)
    expect(await dispute.seenBy(dispute.buyer)).toMatchObject({ status: 'open', turn: 'seller' })
    await dispute.addEvidence(dispute.seller)
    expect(await dispute.seenBy(dispute.buyer)).toMatchObject({ status: 'investigating', turn: 'mediator' })
  })

  test('is refused to strangers and mediators, and after the ruling', async () => {
    const dispute = await CaseDriver.open(services)
    expect((await dispute.addEvidence(userActor())).status).toBe(404)
    expect((await dispute.addEvidence(aMediator())).status).toBe(403)
    await dispute.addEvidence(dispute.seller)
    await dispute.rule(aMediator(), { outcome: 'full_refund' })
    expect((await dispute.addEvidence(dispute.seller)).body.code).toBe('DISPUTE_WRONG_STATE')
  })
})

describe('the time limits of a dispute', () => {
  test('are shown to both parties with whose turn it is', async () => {
    const dispute = await CaseDriver.open(services)
    for (const who of [dispute.buyer, dispute.seller]) {
      const { clocks, turn } = await dispute.seenBy(who)
      expect([turn, clocks.map(({ kind, turn }) => [kind, turn])]).toEqual([
        'seller',
        [
          ['first_look', 'mediator'],
          ['response', 'seller'],
          ['ruling', 'mediator'],
        ],
      ])
    }
  })

  test('of a mediator are escalated once and decide nothing', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.addEvidence(dispute.seller)
    await dispute.endClock('ruling')
    const { status, clocks, history } = await dispute.seenBy(dispute.buyer)
    expect([status, clocks.find(({ kind }) => kind === 'ruling')?.isEscalated]).toEqual(['investigating', true])
    expect(history.filter(({ step }) => step === 'escalated')).toHaveLength(1)
    expect(await dispute.money()).toMatchObject({ hold: 10_700, settlements: 0 })
  })

  test('are announced a day before they end, once', async () => {
    const dispute = await CaseDriver.open(services)
    await dispute.remindOf('response')
    await dispute.remindOf('response')
    const { history, status, clocks } = await dispute.seenBy(dispute.buyer)
    expect([status, history.filter(({ step }) => step === 'reminded').length]).toEqual(['open', 1])
    const { dueAt } = clocks.find(({ kind }) => kind === 'response')!
    expect(await dispute.progress()).toMatchObject([
      { step: 'reminded', by: 'system', clock: 'response', turn: 'seller', dueAt },
    ])
  })
})

describe('a dispute that the system filed', () => {
  test('can be answered by either, settled and ruled on', async () => {
    const [settled, ruled] = await Promise.all(
      [services.overdue(), services.overdue()].map(async opening => {
        const deal = await opening
        const [dispute] = await services.disputesOf(deal.buyer)
        return CaseDriver.of(services, deal, dispute!.id)
      }),
    )
    expect(await settled!.seenBy(settled!.seller)).toMatchObject({ turn: 'both', reporterId: null })
    await settled!.propose(settled!.seller, '100')
    await settled!.propose(settled!.buyer, '100')
    expect(await settled!.money()).toEqual(REFUNDED)
    await ruled!.addEvidence(ruled!.buyer)
    await ruled!.rule(aMediator(), { outcome: 'full_refund' })
    await ruled!.endClock('appeal')
    expect(await ruled!.money()).toEqual(REFUNDED)
    for (const dispute of [settled!, ruled!]) await services.agree(dispute.deal)
  })

  test('ends when the buyer confirms the delivery although a mediator has ruled', async () => {
    const deal = await services.overdue()
    const [{ id } = { id: 0 }] = await services.disputesOf(deal.buyer)
    const dispute = CaseDriver.of(services, deal, id)
    await dispute.addEvidence(deal.seller)
    await dispute.rule(aMediator(), { outcome: 'full_refund' })
    await services.act(deal, deal.buyer, 'confirm-delivery')
    await eventually(async () => (await dispute.status()) === 'closed', 30_000)
    expect(await dispute.money()).toMatchObject({ status: 'inspection', hold: 10_700, settlements: 0 })
    expect((await dispute.seenBy(deal.buyer)).endedBy).toBe('transaction')
  })
})
