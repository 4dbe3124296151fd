import { DISPUTE_CLOCK_DAYS, type DisputeClock } from '@holdfast/kernel/disputes'
import { newId, UUID_PATTERN } from '@holdfast/kernel/ids'
import { applyMigrations } from '@holdfast/service-kit/database/migrations'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { userActor } from '@holdfast/testing/signed-client'
import { planUntil } from '../../test/earlier-plan.js'
import { OlderDisputes1796310000000 } from './1796310000000-older-disputes.js'
import { plan } from './plan.js'

/** The plan of the release that gave no time limits to disputes that were under investigation already. */
const before = planUntil(OlderDisputes1796310000000)
const [buyer, seller] = [userActor().id, userActor().id]

describe('a dispute that was under investigation before disputes had time limits', () => {
  let database: ScratchDatabase
  const disputes = new Map<string, number>()

  /** A dispute of the stage, with the steps that a release with cases has recorded, and some time limits. */
  async function older(name: string, stage: string, steps: readonly string[], { stageBefore = '', clocks = '' } = {}) {
    const { rows } = await database.admin.query<{ id: number }>(
      `INSERT INTO dispute.dispute (transaction_id, buyer_id, seller_id, reporter_id, reason, description, status, step, stage,
         stage_before, opened_at, created_at, updated_at)
       VALUES ($1, $2, $3, $2, 'other', 'It is broken.', $4, $5, $6, nullif($7, ''), now() - interval '30 days',
         now() - interval '30 days', now()) RETURNING id::int`,
      [
        disputes.size + 1,
        buyer,
        seller,
        stage === 'closed' ? 'closed' : 'investigating',
        stage === 'settling' ? 'settling' : 'settled',
        stage,
        stageBefore,
      ],
    )
    const { id } = rows[0]!
    disputes.set(name, id)
    for (const step of steps)
      await database.admin.query(
        `INSERT INTO dispute.history (id, dispute_id, step, role, at) VALUES ($1, $2, $3, 'system', now() - interval '20 days')`,
        [newId(), id, step],
      )
    if (clocks)
      await database.admin.query(
        `INSERT INTO dispute.dispute_clock (id, dispute_id, kind, started_at, due_at, wake_at)
         VALUES ($1, $2, $3, now() - interval '20 days', now() - interval '6 days', now() - interval '6 days')`,
        [newId(), id, clocks],
      )
  }

  beforeAll(async () => {
    database = await ScratchDatabase.make(before)
    await older('answered', 'investigating', ['filed', 'answered'])
    await older('taken', 'investigating', ['filed', 'investigation_begun'])
    await older('both', 'investigating', ['filed', 'response_ended', 'investigation_begun'])
    await older('settling', 'settling', ['filed', 'answered'], { stageBefore: 'investigating' })
    await older('limited', 'investigating', ['filed', 'answered'], { clocks: 'ruling' })
    await older('closed', 'closed', ['filed', 'answered'])
    await older('resolved', 'resolved', ['filed', 'answered'], { clocks: 'appeal' })
    await applyMigrations({ adminUrl: database.url(), plans: [plan], passwords: { [plan.role]: 'scratch' } })
  })
  afterAll(() => database.drop())

  /** The time limits that began at the upgrade: their days, and those of the reminder before the end. */
  const begun = async (name: string) => {
    const { rows } = await database.admin.query<{ id: string; kind: DisputeClock; days: number; reminded: number }>(
      `SELECT id, kind, round(extract(epoch FROM due_at - now()) / 86400)::int AS days,
         round(extract(epoch FROM due_at - wake_at) / 86400)::int AS reminded
       FROM dispute.dispute_clock WHERE dispute_id = $1 AND started_at > now() - interval '1 day' ORDER BY kind`,
      [disputes.get(name)],
    )
    for (const { id, kind, days, reminded } of rows) {
      expect(id).toMatch(UUID_PATTERN)
      expect([days, reminded]).toEqual([DISPUTE_CLOCK_DAYS[kind], 1])
    }
    return rows.map(({ kind }) => kind)
  }

  it.each([
    ['answered', ['first_look', 'ruling']],
    ['taken', ['response', 'ruling']],
    ['both', ['ruling']],
    ['settling', ['first_look', 'ruling']],
  ])('gets the time limits of what is still to come, since the upgrade, when it was %s', async (name, kinds) => {
    expect(await begun(name)).toEqual(kinds)
  })

  it('gets none when it has had them, is closed or is ruled', async () => {
    for (const name of ['limited', 'closed', 'resolved']) expect(await begun(name)).toEqual([])
  })
})
