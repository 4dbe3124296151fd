import { DISPUTE_CLOCK_DAYS } from '@holdfast/kernel/disputes'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { applyMigrations } from '@holdfast/service-kit/database/migrations'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { userActor } from '@holdfast/testing/signed-client'
import { planUntil } from '../../test/earlier-plan.js'
import { DealEnds1795410000000 } from './1795410000000-deal-ends.js'
import { plan } from './plan.js'

/** The plan of the release before there were cases. */
const before = planUntil(DealEnds1795410000000)
const [buyer, seller] = [userActor().id, userActor().id]

/** A dispute as that release wrote it. */
const older = (deal: number, reporter: string | null, status: string, step = 'settled') =>
  `INSERT INTO dispute.dispute (transaction_id, buyer_id, seller_id, reporter_id, reason, description, status, step, retry_at,
     created_at, updated_at)
   SELECT ${deal}, party.buyer, party.seller, ${reporter ? `'${reporter}'` : 'NULL'}, 'other', 'It is broken.', '${status}', '${step}',
     CASE '${step}' WHEN 'freezing' THEN now() END, now() - interval '30 days', now()
   FROM (VALUES ('${buyer}'::uuid, '${seller}'::uuid)) AS party (buyer, seller)`

describe('a dispute that was opened before there were cases', () => {
  let database: ScratchDatabase
  beforeAll(async () => {
    database = await ScratchDatabase.make(before)
    for (const dispute of [
      older(1, buyer, 'open'),
      older(2, null, 'open'),
      older(3, seller, 'closed'),
      older(4, buyer, 'open', 'freezing'),
    ])
      await database.admin.query(dispute)
    await applyMigrations({ adminUrl: database.url(), plans: [plan], passwords: { [plan.role]: 'scratch' } })
  })
  afterAll(() => database.drop())

  const rows = async (sql: string, deal: number) =>
    (
      await database.admin.query(
        `SELECT ${sql} JOIN dispute.dispute d ON d.id = x.dispute_id WHERE d.transaction_id = $1`,
        [deal],
      )
    ).rows

  it.each([1, 2])('gets the time limits of its stage, from now (%d)', async deal => {
    const found = await rows(
      `x.kind, round(extract(epoch FROM x.due_at - now()) / 86400)::int AS days,
         round(extract(epoch FROM x.due_at - x.wake_at) / 86400)::int AS reminded FROM dispute.dispute_clock x`,
      deal,
    )
    expect(found.sort((a, b) => a.days - b.days)).toEqual(
      (['first_look', 'response', 'ruling'] as const).map(kind => ({
        kind,
        days: DISPUTE_CLOCK_DAYS[kind],
        reminded: 1,
      })),
    )
  })

  it('gets back the time until the first start, which is no outage in a new installation', async () => {
    const madeAt = async (of: ScratchDatabase) =>
      (await of.admin.query('SELECT made_at AS at FROM dispute.heartbeat')).rows[0].at
    expect(await madeAt(database)).toBeNull()
    const fresh = await ScratchDatabase.make(plan)
    try {
      expect(await madeAt(fresh)).not.toBeNull()
    } finally {
      await fresh.drop()
    }
  })

  it('gets none when it is closed, or escrow has not answered its filing', async () => {
    for (const deal of [3, 4]) expect(await rows('x.kind FROM dispute.dispute_clock x', deal)).toEqual([])
  })

  it('has a history that begins with who filed it', async () => {
    const first = async (deal: number) => (await rows('x.step, x.role, x.user_id FROM dispute.history x', deal))[0]
    expect(await first(1)).toEqual({ step: 'filed', role: 'buyer', user_id: buyer })
    expect(await first(2)).toEqual({ step: 'filed', role: 'system', user_id: null })
    expect(await first(3)).toEqual({ step: 'filed', role: 'seller', user_id: seller })
  })

  it('gets ids that the answers of the service may contain', async () => {
    const found = await database.admin.query(
      'SELECT id FROM dispute.history UNION ALL SELECT id FROM dispute.dispute_clock',
    )
    expect(found.rows.length).toBeGreaterThan(0)
    for (const { id } of found.rows) expect(id).toMatch(UUID_PATTERN)
  })

  it('has an unknown price, and not a price of nothing; while it is open, escrow is asked for it', async () => {
    const { rows: found } = await database.admin.query(
      'SELECT price_minor AS price, retry_at IS NOT NULL AS asked FROM dispute.dispute WHERE step = $1 ORDER BY transaction_id',
      ['settled'],
    )
    expect(found).toEqual([
      { price: null, asked: true },
      { price: null, asked: true },
      { price: null, asked: false },
    ])
  })
})
