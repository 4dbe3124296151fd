import { setTimeout as sleep } from 'node:timers/promises'
import { aMediator, CaseDriver } from '../../test/case-driver.js'
import { copyDispute } from '../../test/copied-disputes.js'
import { TwoServices } from '../../test/two-services.js'

/** How many disputes each race is run on, and how many of them at the same time. */
const PAIRS = 100
const AT_ONCE = 10
/** By how much one of the two moves is earlier at most. */
const MAX_LEAD_MS = 60

let services: TwoServices
beforeAll(async () => {
  services = await TwoServices.start()
})
afterAll(() => services.stop())

/** How a dispute ended: the deal's status, the dispute's status, how often it was settled, and what the buyer got back. */
type End = readonly [deal: string, dispute: string, settlements: number, refunded: number]

interface Race {
  /** Brings a dispute to where the race begins. */
  readonly prepare?: (dispute: CaseDriver) => Promise<unknown>
  readonly one: (dispute: CaseDriver) => Promise<unknown>
  readonly other: (dispute: CaseDriver) => Promise<unknown>
  readonly ends: readonly End[]
}

const SETTLED: End = ['completed', 'closed', 1, 3_000]
const PAID: End = ['completed', 'closed', 1, 0]

async function toRule(dispute: CaseDriver): Promise<void> {
  await dispute.addEvidence(dispute.seller)
}
async function ruled(dispute: CaseDriver): Promise<void> {
  await toRule(dispute)
  await dispute.rule(aMediator(), { outcome: 'seller_favor' })
}

const races: Record<string, Race> = {
  'a settlement and the same settlement': {
    one: dispute => dispute.propose(dispute.buyer, '30'),
    other: dispute => dispute.propose(dispute.seller, '30'),
    ends: [SETTLED],
  },
  'a settlement and the posting of a ruling': {
    prepare: async dispute => {
      await dispute.propose(dispute.buyer, '30')
      await ruled(dispute)
    },
    one: dispute => dispute.propose(dispute.seller, '30'),
    other: dispute => dispute.endClock('appeal'),
    ends: [SETTLED, PAID],
  },
  'a withdrawal and a ruling': {
    prepare: toRule,
    one: dispute => services.withdraw(dispute.id, dispute.buyer),
    other: dispute => dispute.rule(aMediator(), { outcome: 'seller_favor' }),
    ends: [
      ['shipped', 'closed', 0, 0],
      ['disputed', 'resolved', 0, 0],
    ],
  },
  'the posting of a ruling and an appeal': {
    prepare: ruled,
    one: dispute => dispute.endClock('appeal'),
    other: dispute => dispute.command('appeal', dispute.buyer, { reason: 'No.' }),
    ends: [PAID, ['disputed', 'investigating', 0, 0]],
  },
}

describe(`on ${PAIRS} disputes each`, () => {
  test.each(Object.entries(races))('%s at the same moment have one effect', async (_, race) => {
    const original = await CaseDriver.open(services)
    await race.prepare?.(original)
    const disputes = await copyDispute(services, original, PAIRS)
    for (let n = 0; n < PAIRS; n += AT_ONCE)
      await Promise.all(disputes.slice(n, n + AT_ONCE).map((dispute, i) => run(race, dispute, n + i)))
    await services.eventsHandled()
    const ends = await endsOf(disputes)
    expect(ends).toHaveLength(PAIRS)
    for (const end of ends) expect(race.ends).toContainEqual(end)
    for (const end of race.ends) expect(ends).toContainEqual(end)
    expect(await services.faultsInBooks()).toEqual([])
  })
})

/**
 * Makes both moves. The other one leads by all times up to the longest, then the first does. With the longest lead a move has ended
 * before the other begins, so each wins at least once on a machine of any speed.
 */
async function run({ one, other }: Race, dispute: CaseDriver, n: number): Promise<void> {
  const lead = MAX_LEAD_MS * ((2 * n) / (PAIRS - 1) - 1)
  const [first, second] = lead < 0 ? [other, one] : [one, other]
  const earlier = first(dispute)
  const later = async () => {
    await (Math.abs(lead) === MAX_LEAD_MS ? earlier : sleep(Math.abs(lead)))
    await second(dispute)
  }
  await Promise.all([earlier, later()])
}

/** How the disputes ended at both services. */
async function endsOf(disputes: readonly CaseDriver[]): Promise<End[]> {
  const { rows } = await services.database.admin.query(
    `SELECT t.status AS deal, d.status AS dispute, t.refunded_minor::int AS refunded,
       (SELECT count(*)::int FROM escrow.journal_entry e WHERE e.transaction_id = t.id AND e.kind = 'settlement') AS settlements
     FROM dispute.dispute d JOIN escrow.transaction t ON t.id = d.transaction_id WHERE d.id = ANY($1) AND d.step = 'settled'`,
    [disputes.map(({ id }) => id)],
  )
  return rows.map(({ deal, dispute, settlements, refunded }) => [deal, dispute, settlements, refunded])
}
