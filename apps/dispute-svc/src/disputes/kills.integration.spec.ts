import { DomainError } from '@holdfast/kernel/errors'
import { eventually } from '@holdfast/testing/eventually'
import { CaseDriver } from '../../test/case-driver.js'
import { copyDispute } from '../../test/copied-disputes.js'
import {
  acceptance,
  type CallingRequest,
  filing,
  KILL_POINTS,
  StandingCalls,
  withdrawal,
} from '../../test/kill-points.js'
import { TwoServices } from '../../test/two-services.js'

let services: TwoServices
beforeAll(async () => {
  services = await TwoServices.start()
})
afterAll(() => services.stop())

/** What both databases say of a deal and its dispute, and how often the dispute was opened, ended, and ended with money. */
interface Known {
  readonly deal: string
  readonly dispute: string
  readonly step: string
  readonly refunded: number
  readonly settlements: number
  readonly events: readonly string[]
}

const FILED = { deal: 'disputed', dispute: 'open', step: 'settled', refunded: 0, settlements: 0 }
const WITHDRAWN = { ...FILED, deal: 'shipped', dispute: 'closed' }
const SETTLED = { deal: 'completed', dispute: 'closed', step: 'settled', refunded: 3_000, settlements: 1 }

/** Each call: the deal at escrow before and after it, the step of the dispute while it is not answered, and the end. */
const CALLS = [
  { call: 'freeze', was: 'shipped', becomes: 'disputed', step: 'freezing', end: { ...FILED, events: ['opened'] } },
  {
    call: 'resume',
    was: 'disputed',
    becomes: 'shipped',
    step: 'resuming',
    end: { ...WITHDRAWN, events: ['withdrawn'] },
  },
  { call: 'settle', was: 'disputed', becomes: 'completed', step: 'settling', end: { ...SETTLED, events: ['closed'] } },
] as const

/** Who is killed at which point of which call. All calls of a kill stand at their points together. */
const TABLE = CALLS.flatMap(call => KILL_POINTS.map(point => ({ ...call, point })))

describe.each(['escrow-svc', 'dispute-svc'] as const)('when %s is killed', victim => {
  const ends = new Map<string, { atKill: Known; atEnd: Known }>()

  beforeAll(async () => {
    const replica = await services.replicas.startKillableDispute()
    const original = await CaseDriver.open(services)
    await original.propose(original.buyer, '30')
    const copies = await copyDispute(services, original, 2 * KILL_POINTS.length)
    const requests: Record<(typeof CALLS)[number]['call'], () => Promise<CallingRequest>> = {
      freeze: async () => filing(await services.shipped()),
      resume: async () => withdrawal(copies.pop()!),
      settle: async () => acceptance(copies.pop()!),
    }
    const standing = new StandingCalls(services, replica.client)
    const ids: number[] = []
    for (const { call, point } of TABLE) ids.push(await standing.standAt(await requests[call](), point))

    if (victim === 'escrow-svc') await services.replicas.killEscrow()
    else {
      await replica.kill()
      await standing.endWaitingConnections()
    }
    const atKill = await Promise.all(ids.map(knownOf))
    await standing.goOn()
    if (victim === 'escrow-svc') {
      // Its answers that were passed on are committed.
      const answered = ids.filter((_, n) => TABLE[n]!.point === 'after the answer, before our commit')
      for (const id of answered) await eventually(async () => (await knownOf(id)).step === 'settled')
      await replica.kill()
      await services.replicas.startEscrow()
    }
    for (const id of ids) await repeatUntilSettled(id)
    await services.eventsHandled()
    const atEnd = await Promise.all(ids.map(knownOf))
    TABLE.forEach(({ call, point }, n) => void ends.set(call + point, { atKill: atKill[n]!, atEnd: atEnd[n]! }))
  })

  test.each(TABLE)(
    '$point of $call, both services end with it done once',
    ({ call, point, was, becomes, step, end }) => {
      const { atKill, atEnd } = ends.get(call + point)!
      expect(atKill).toMatchObject({ deal: point === 'before the call' ? was : becomes, step })
      expect(atEnd).toEqual(end)
    },
  )

  test('the books hold', async () => expect(await services.faultsInBooks()).toEqual([]))
})

/**
 * The replica that lives repeats a call until its outcome is known, as its timers do. A repetition may find a connection that
 * the kill has broken.
 */
async function repeatUntilSettled(id: number): Promise<void> {
  await eventually(async () => {
    if ((await knownOf(id)).step === 'settled') return true
    await services.repeatCall(id).catch(error => {
      if (!(error instanceof DomainError && error.code === 'UNAVAILABLE')) throw error
    })
    return false
  })
}

async function knownOf(id: number): Promise<Known> {
  const { rows } = await services.database.admin.query<Known>(
    `SELECT t.status AS deal, d.status AS dispute, d.step, t.refunded_minor::int AS refunded,
       (SELECT count(*)::int FROM escrow.journal_entry e WHERE e.transaction_id = t.id AND e.kind = 'settlement') AS settlements,
       ARRAY(SELECT split_part(l.type, '.', 3) FROM events.log l WHERE l.topic = 'dispute.dispute'
         AND l.payload ->> 'disputeId' = d.id::text AND l.type NOT LIKE '%progressed%' ORDER BY l.position) AS events
     FROM dispute.dispute d JOIN escrow.transaction t ON t.id = d.transaction_id WHERE d.id = $1`,
    [id],
  )
  return rows[0]!
}
