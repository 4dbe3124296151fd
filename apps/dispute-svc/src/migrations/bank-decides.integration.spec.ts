import { newId } from '@holdfast/kernel/ids'
import { applyMigrations } from '@holdfast/service-kit/database/migrations'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { userActor } from '@holdfast/testing/signed-client'
import { planUntil } from '../../test/earlier-plan.js'
import { WhoTookACase1796520000000 } from './1796520000000-who-took-a-case.js'
import { plan } from './plan.js'

/** The plan of the release in which time limits ran while a bank decided. */
const before = planUntil(WhoTookACase1796520000000)
const [buyer, seller] = [userActor().id, userActor().id]

describe('a dispute that was open when time limits still ran while a bank decided', () => {
  let database: ScratchDatabase

  /** A dispute that was opened 20 days ago, whose time limit for the ruling has passed and was escalated. */
  async function older(id: number, reason: string, status: 'open' | 'closed'): Promise<void> {
    await database.admin.query(
      `INSERT INTO dispute.dispute (id, transaction_id, buyer_id, seller_id, reason, description, status, step, stage, title,
         price_minor, currency, opened_at, created_at, updated_at) OVERRIDING SYSTEM VALUE
       SELECT $1::bigint, $1::bigint + 100, $2, $3, $4, 'It is broken.', $5, 'settled', $5, 'Camera', 10000, 'USD', t.opened,
         t.opened, now() FROM (SELECT now() - interval '20 days' AS opened) t`,
      [id, buyer, seller, reason, status],
    )
    await database.admin.query(
      `INSERT INTO dispute.dispute_clock (id, dispute_id, kind, started_at, due_at, wake_at, escalated_at)
       SELECT $1, id, 'ruling', opened_at, opened_at + interval '14 days', NULL, now() FROM dispute.dispute WHERE id = $2`,
      [newId(), id],
    )
  }

  beforeAll(async () => {
    database = await ScratchDatabase.make(before)
    await older(1, 'chargeback', 'open')
    await older(2, 'damaged_item', 'open')
    await older(3, 'chargeback', 'closed')
    await applyMigrations({ adminUrl: database.url(), plans: [plan], passwords: { [plan.role]: 'scratch' } })
  })
  afterAll(() => database.drop())

  it('about a chargeback waits since it was opened, and escrow is asked about every open one', async () => {
    const { rows } = await database.admin.query(
      `SELECT transaction_id::int AS deal, pending_since < now() - interval '19 days' AS waits, ask_at <= now() AS asks
       FROM dispute.bank_decision ORDER BY 1`,
    )
    expect(rows).toEqual([
      { deal: 101, waits: true, asks: true },
      { deal: 102, waits: null, asks: true },
    ])
  })

  it('about a chargeback has its time limits stopped since then, and no other one', async () => {
    const { rows } = await database.admin.query(
      `SELECT dispute_id::int AS id, stopped_at = started_at AS stopped FROM dispute.dispute_clock ORDER BY 1`,
    )
    expect(rows).toEqual([
      { id: 1, stopped: true },
      { id: 2, stopped: null },
      { id: 3, stopped: null },
    ])
  })
})
