import { DISPUTE_CLOCKS, RULING_OUTCOMES } from '@holdfast/kernel/disputes'
import { eventually } from '@holdfast/testing/eventually'
import { chargeback } from '@holdfast/testing/stripe-events'
import fc from 'fast-check'
import { aMediator, CaseDriver } from '../../test/case-driver.js'
import { BEGINNINGS, DisputedDeal, type Move } from '../../test/disputed-deal.js'
import type { LineFault } from '../../test/escrow-line.js'
import { TwoServices } from '../../test/two-services.js'

let services: TwoServices
beforeAll(async () => {
  services = await TwoServices.start()
})
afterAll(() => services.stop())

/** A dispute whose withdrawal is on its way to escrow. */
async function beingWithdrawn() {
  const deal = await services.shipped()
  const { id } = (await services.file(deal, deal.buyer)).body
  const first = services.line.holdNext('resume')
  const withdrawing = services.withdraw(id, deal.buyer)
  await first.made
  return { deal, id, first, withdrawing }
}

describe('a dispute of a party', () => {
  test('freezes the deal at escrow, and its withdrawal resumes it', async () => {
    const deal = await services.shipped()
    const { status, body } = await services.file(deal, deal.buyer)
    expect([status, body.sellerId]).toEqual([201, deal.seller.id])
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: body.id })
    expect(await services.withdraw(body.id, deal.buyer)).toMatchObject({ status: 200, body: { status: 'closed' } })
    expect(await services.dealOf(deal)).toEqual({ status: 'shipped', frozenBy: null })
    await services.agree(deal)
  })

  test('has the carrier asked when it is withdrawn, so that a delivery meanwhile applies', async () => {
    const deal = await services.shipped()
    const { body } = await services.file(deal, deal.buyer)
    await services.replicas.deliverParcel(`D${deal.id}`)
    expect(await services.dealOf(deal)).toMatchObject({ status: 'disputed' })
    await services.withdraw(body.id, deal.buyer)
    await eventually(async () => (await services.dealOf(deal)).status === 'inspection', 30_000)
  })

  test('is filed once when both parties file at the same moment', async () => {
    const deal = await services.shipped()
    const answers = await Promise.all([deal.buyer, deal.seller].map(who => services.file(deal, who)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    await services.agree(deal)
  })

  test('does not freeze the deal again by a call that arrives after its end', async () => {
    const deal = await services.shipped()
    const first = services.line.holdNext('freeze')
    const filing = services.file(deal, deal.buyer)
    await first.made
    first.lose()
    expect((await filing).status).toBe(503)
    const id = await services.latestOn(deal)
    await services.repeatCall(id)
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: id })
    expect((await services.withdraw(id, deal.buyer)).status).toBe(200)
    expect(await first.deliver()).toMatchObject({ status: 409, body: { code: 'DISPUTE_ENDED' } })
    expect(await services.dealOf(deal)).toEqual({ status: 'shipped', frozenBy: null })
    await services.agree(deal)
  })

  test('whose first call freezes the deal after escrow refused the repeated call lets the deal resume', async () => {
    const deal = await services.shipped()
    const first = services.line.holdNext('freeze')
    const filing = services.file(deal, deal.buyer)
    await first.made
    first.lose()
    await filing
    const refused = await services.latestOn(deal)
    const { body: other } = await services.file(deal, deal.seller)
    await expect(services.repeatCall(refused)).rejects.toThrow()
    await services.withdraw(other.id, deal.seller)
    expect(await first.deliver()).toMatchObject({ status: 200 })
    await services.agree(deal)
    expect(await services.dealOf(deal)).toEqual({ status: 'shipped', frozenBy: null })
  })

  test('is opened once when the answer of its freeze is lost, also for a request that is repeated with its key', async () => {
    const deal = await services.shipped()
    services.line.loseNextAnswer('freeze')
    expect((await services.file(deal, deal.buyer, 'lost-answer')).status).toBe(503)
    const { status, body } = await services.file(deal, deal.buyer, 'lost-answer')
    expect(status).toBe(201)
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: body.id })
    await services.agree(deal)
  })

  test('is closed by its repeated call when the answer of its withdrawal is lost', async () => {
    const deal = await services.shipped()
    const { body } = await services.file(deal, deal.buyer)
    services.line.loseNextAnswer('resume')
    expect((await services.withdraw(body.id, deal.buyer)).status).toBe(503)
    await services.repeatCall(body.id)
    expect(await services.disputesOf(deal.seller)).toMatchObject([{ id: body.id, status: 'closed' }])
    await services.agree(deal)
  })

  test('stays open when its withdrawal was refused, and a call that is late does not withdraw it afterwards', async () => {
    const { deal, id, first, withdrawing } = await beingWithdrawn()
    first.lose()
    expect((await withdrawing).status).toBe(503)
    await services.providerReports(chargeback(deal.intent, deal.totalMinor, 'created'))
    await expect(services.repeatCall(id)).rejects.toThrow('ESCROW_STOPPED_BY_PROVIDER')
    await services.providerReports(chargeback(deal.intent, deal.totalMinor, 'won'))
    expect(await first.deliver()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await services.eventsHandled()
    await services.agree(deal)
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: id })
  })

  test('is closed when a repeated call has withdrawn it, also when an earlier call learns of its refusal only then', async () => {
    const { deal, id, first, withdrawing } = await beingWithdrawn()
    await services.providerReports(chargeback(deal.intent, deal.totalMinor, 'created'))
    expect(await first.deliver()).toMatchObject({ status: 409 })
    await services.providerReports(chargeback(deal.intent, deal.totalMinor, 'won'))
    const second = services.line.holdNext('resume')
    const repeated = services.repeatCall(id)
    await second.made
    expect(await second.deliver()).toMatchObject({ status: 200 })
    await first.answer()
    await withdrawing
    await second.answer()
    await repeated
    await services.eventsHandled()
    await services.agree(deal)
    expect(await services.dealOf(deal)).toEqual({ status: 'shipped', frozenBy: null })
  })

  test('gives way to the dispute of a chargeback that arrives before its withdrawal is known to be done', async () => {
    const deal = await services.shipped()
    const { body } = await services.file(deal, deal.buyer)
    services.line.loseNextAnswer('resume')
    expect((await services.withdraw(body.id, deal.buyer)).status).toBe(503)
    const third = Math.floor(deal.totalMinor / 3)
    await services.providerReports(chargeback(deal.intent, third, 'created'))
    await services.eventsHandled()
    await services.repeatCall(body.id)
    await services.providerReports(chargeback(deal.intent, third, 'lost'))
    await services.eventsHandled()
    const disputes = await services.disputesOf(deal.buyer)
    expect(disputes.map(({ reason, status }) => [reason, status])).toEqual([
      ['chargeback', 'open'],
      ['damaged_item', 'closed'],
    ])
    await services.agree(deal)
  })

  test('is opened although escrow was killed while it handled the freeze', async () => {
    const deal = await services.shipped()
    const call = services.line.holdNext('freeze')
    const filing = services.file(deal, deal.buyer)
    await call.made
    const delivered = call.deliver().catch(() => undefined)
    await services.replicas.killEscrow()
    await delivered
    call.lose()
    expect((await filing).status).toBe(503)
    await services.replicas.startEscrow()
    const id = await services.latestOn(deal)
    await services.repeatCall(id)
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: id })
    await services.agree(deal)
  })
})

describe('a dispute that the system files when a parcel does not arrive in time', () => {
  // Escrow's timers need some seconds, so all deals wait for them together.
  let overdue: Deal[]
  beforeAll(async () => {
    overdue = await Promise.all(Array.from({ length: 4 }, () => services.overdue()))
  })

  test('is open for both parties, and neither can withdraw it', async () => {
    const deal = overdue.pop()!
    const [dispute] = await services.disputesOf(deal.seller)
    expect(dispute).toMatchObject({ status: 'open', reporterId: null, reason: 'item_not_received' })
    for (const who of [deal.buyer, deal.seller]) expect((await services.withdraw(dispute!.id, who)).status).toBe(403)
    await services.agree(deal)
  })

  test.each([
    [
      'the carrier reports the delivery',
      'inspection',
      'The carrier reported that the item was delivered.',
      (deal: Deal) => services.carrierDelivers(deal),
    ],
    [
      'the buyer says that it arrived',
      'inspection',
      'The buyer confirmed that the item arrived.',
      (deal: Deal) => services.act(deal, deal.buyer, 'confirm-delivery'),
    ],
    [
      'the seller refunds',
      'cancelled',
      'The seller refunded the buyer in full.',
      (deal: Deal) => services.act(deal, deal.seller, 'refund'),
    ],
  ] as const)('is closed when %s, and the deal goes on', async (_, status, resolution, end) => {
    const deal = overdue.pop()!
    await end(deal)
    expect(await services.dealOf(deal)).toEqual({ status, frozenBy: null })
    await services.agree(deal)
    expect(await services.disputesOf(deal.buyer)).toMatchObject([{ status: 'closed', resolution }])
  })
})

describe('a dispute while the buyer’s bank decides', () => {
  const bank = (deal: Deal, minor: number, step: 'created' | 'won' | 'lost', name: string) =>
    services.providerReports(chargeback(deal.intent, minor, step, { id: `du_${name}_${deal.id}` }))
  const seen = async (deal: Deal) => {
    await services.eventsHandled()
    await services.agree(deal)
    return CaseDriver.of(services, deal, await services.latestOn(deal)).seenBy(deal.buyer)
  }

  test('has no time limits until the last of two banks has decided, and then all that were left', async () => {
    const deal = await services.shipped()
    await services.file(deal, deal.buyer)
    const { clocks: before } = await seen(deal)
    const [third, quarter] = [3, 4].map(part => Math.floor(deal.totalMinor / part)) as [number, number]
    await bank(deal, third, 'created', 'first')
    expect(await seen(deal)).toMatchObject({ turn: 'bank', clocks: [], actions: ['addEvidence'] })
    await bank(deal, quarter, 'created', 'second')
    await bank(deal, third, 'lost', 'first')
    expect(await seen(deal)).toMatchObject({ turn: 'bank', clocks: [] })
    await services.redeliverEvents()
    expect(await seen(deal)).toMatchObject({ turn: 'bank', clocks: [] })
    await bank(deal, quarter, 'won', 'second')
    const after = await seen(deal)
    expect(after.turn).toBe('seller')
    expect(after.clocks.map(({ kind }) => kind)).toEqual(before.map(({ kind }) => kind))
    // The deal cannot go on: a part of its payment is gone. So the dispute ends by a settlement or a ruling.
    expect(after.actions).toEqual(['addEvidence', 'propose'])
    expect((await services.withdraw(await services.latestOn(deal), deal.buyer)).status).toBe(409)
    after.clocks.forEach(({ dueAt }, n) => void expect(dueAt > before[n]!.dueAt).toBe(true))
    // Another bank asks after the first ones have decided.
    await bank(deal, quarter, 'created', 'third')
    expect(await seen(deal)).toMatchObject({ turn: 'bank', clocks: [] })
  })

  test('that the system filed gets its time limits when a part is lost, so that it can end by a ruling', async () => {
    const deal = await services.shipped()
    const third = Math.floor(deal.totalMinor / 3)
    await bank(deal, third, 'created', 'part')
    expect(await seen(deal)).toMatchObject({ reason: 'chargeback', turn: 'bank', clocks: [] })
    await bank(deal, third, 'lost', 'part')
    expect(await seen(deal)).toMatchObject({ turn: 'both', clocks: [{}, {}, {}] })
    const dispute = CaseDriver.of(services, deal, await services.latestOn(deal))
    await dispute.endClock('response')
    expect((await dispute.rule(aMediator(), { outcome: 'seller_favor' })).status).toBe(200)
  })
})

/** Random runs in one execution of the test. FC_RUNS raises it for a long execution. */
const RUNS = Number(process.env.FC_RUNS ?? 6)
/** Only a test that hangs takes so long. */
const ENDS_WITHIN_MS = 900_000
const DEALS_AT_ONCE = 4
/** How often the messages between the two services can depend on each other. */
const ROUNDS = 3
const MAX_BATCHES = 8
const MAX_MOVES_AT_ONCE = 4

const who = fc.constantFrom('buyer', 'seller')
const key = fc.constantFrom(null, 'k1')
const simple = <const M extends Move['move']>(move: M) => fc.constant({ move })

const anyMove = fc.oneof(
  { weight: 6, arbitrary: fc.record({ move: fc.constant('file'), who, key }) },
  { weight: 4, arbitrary: fc.record({ move: fc.constant('withdraw'), who, key }) },
  { weight: 3, arbitrary: simple('repeatCalls') },
  { weight: 3, arbitrary: simple('deliverLate') },
  { weight: 1, arbitrary: simple('redeliverEvents') },
  { weight: 2, arbitrary: fc.record({ move: fc.constant('bank'), step: fc.constantFrom('created', 'won', 'lost') }) },
  {
    weight: 1,
    arbitrary: fc.record({ move: fc.constant('refundByHand'), part: fc.boolean(), fails: fc.boolean() }),
  },
  { weight: 1, arbitrary: simple('confirmDelivery') },
  { weight: 1, arbitrary: simple('accept') },
  { weight: 1, arbitrary: simple('refund') },
  { weight: 1, arbitrary: simple('carrierDelivers') },
  {
    weight: 5,
    arbitrary: fc.record({ move: fc.constant('propose'), who, amount: fc.constantFrom('0', '30', '30', '100') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ move: fc.constantFrom('addEvidence', 'acceptProposal', 'decline', 'appeal'), who }),
  },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('waive'), who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      move: fc.constant('rule'),
      mediator: fc.constantFrom(0, 1),
      outcome: fc.constantFrom(...RULING_OUTCOMES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ move: fc.constant('return'), step: fc.constantFrom('ship', 'confirm', 'contest') }),
  },
  { weight: 4, arbitrary: fc.record({ move: fc.constant('endClock'), kind: fc.constantFrom(...DISPUTE_CLOCKS) }) },
) as fc.Arbitrary<Move>

const anyRun = fc.record({
  beginnings: fc.array(fc.constantFrom(...BEGINNINGS), { minLength: DEALS_AT_ONCE, maxLength: DEALS_AT_ONCE }),
  batches: fc.array(
    fc.array(fc.record({ deal: fc.nat(DEALS_AT_ONCE - 1), move: anyMove }), {
      minLength: DEALS_AT_ONCE,
      maxLength: DEALS_AT_ONCE * MAX_MOVES_AT_ONCE,
    }),
    { minLength: 2, maxLength: MAX_BATCHES },
  ),
  /** The faults of the calls on the line, one after the other. */
  faults: fc.array(fc.constantFrom<LineFault>('none', 'none', 'none', 'late', 'lostAnswer', 'lateAnswer'), {
    minLength: 12,
    maxLength: 40,
  }),
})

/** A run that fails is printed with its seed; `FC_SEED` and `FC_PATH` repeat it. */
describe('disputes under random moves, with two replicas of each service whose clocks differ', () => {
  beforeAll(() => services.replicas.startSecond())

  test(
    'agree with their deals when all messages have arrived, and every answer was true',
    async () => {
      let settledByMoves = 0
      await fc.assert(
        fc.asyncProperty(anyRun, async ({ beginnings, batches, faults }) => {
          const deals = await Promise.all(beginnings.map(beginning => DisputedDeal.open(services, beginning)))
          const settledBefore = await services.countSettlements()
          let calls = 0
          services.line.nextFault = () => faults[calls++ % faults.length]!
          const settling = beginnings.flatMap(({ settles }, deal) => (settles ? [{ deal, move: settles }] : []))
          const [first, ...later] = batches
          for (const batch of [[...settling, ...first!], ...later])
            await Promise.all(
              deals.map((deal, i) => deal.make(batch.filter(each => each.deal === i).map(each => each.move))),
            )
          services.line.nextFault = () => 'none'
          await Promise.all(deals.map(deal => deal.endProviderDisputes()))
          await services.line.deliverLate()
          // A late freeze is published, and then its closed dispute is resumed.
          for (let round = 0; round < ROUNDS; round++) {
            await services.eventsHandled()
            await Promise.all(deals.map(deal => deal.repeatCalls()))
          }
          await services.eventsHandled()
          await Promise.all(deals.map(({ deal }) => services.agree(deal)))
          expect((await Promise.all(deals.map(deal => deal.falseAnswers()))).flat()).toEqual([])
          expect(await services.faultsInBooks()).toEqual([])
          settledByMoves += (await services.countSettlements()) - settledBefore
        }),
        {
          numRuns: RUNS,
          ...(process.env.FC_SEED && { seed: Number(process.env.FC_SEED) }),
          ...(process.env.FC_PATH && { path: process.env.FC_PATH }),
          endOnFailure: true,
        },
      )
      expect(settledByMoves).toBeGreaterThan(0)
    },
    ENDS_WITHIN_MS,
  )
})

type Deal = Awaited<ReturnType<TwoServices['shipped']>>
