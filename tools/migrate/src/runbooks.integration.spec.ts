import fs from 'node:fs'
import path from 'node:path'
import { plan as disputePlan } from '@holdfast/dispute-svc/migrations/plan'
import { plan as escrowPlan } from '@holdfast/escrow-svc/migrations/plan'
import { plan as identityPlan } from '@holdfast/identity-svc/migrations/plan'
import { plan as listingPlan } from '@holdfast/listing-svc/migrations/plan'
import { plan as messagingPlan } from '@holdfast/messaging-svc/migrations/plan'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'

const RUNBOOKS = path.join(import.meta.dirname, '../../../docs/runbooks')
/** Values in place of the names in angle brackets, which an operator replaces. */
const VALUES: Readonly<Record<string, string>> = {
  '<deal>': '1001',
  '<dispute>': '101',
  '<payout>': '01900000-0000-7000-8000-000000000002',
  '<id>': 'pi_1',
  '<pid>': '0',
  '<user>': '01900000-0000-7000-8000-000000000001',
  '<words>': 'The lens is broken.',
  '<time>': '2026-11-25T12:00:00Z',
}

/** The SQL of a page with the values in place: its blocks, and the statements that stand in sentences. */
function statementsOf(page: string): string[] {
  const text = fs.readFileSync(path.join(RUNBOOKS, page), 'utf8')
  const blocks = text.matchAll(/```sql\n(.*?)```/gs)
  const inSentences = text.matchAll(/`((?:delete|insert|select|update) [^`]+)`/g)
  return [...blocks, ...inSentences].map(([, sql = '']) => sql.replace(/<\w+>/g, name => VALUES[name] ?? name))
}

/** A disputed deal of 100 cents whose dispute does not exist. */
const DEAL = `INSERT INTO escrow.transaction (id, status, listing_id, buyer_id, seller_id, opened_by, title, terms, terms_hash,
    terms_version, currency, price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor, fee_schedule,
    buyer_plan, seller_plan, inspection_days, hold_minor, paid_at, settled_payment_id, frozen, created_at, updated_at)
  SELECT 1001, 'disputed', 1, buyer, gen_random_uuid(), buyer, 'Camera', '{}', '', '1', 'USD', 100, 0, 0, 0, 0, '1', 'standard',
    'standard', 3, 100, now(), gen_random_uuid(), '{"disputeId": 120}', now(), now() FROM gen_random_uuid() AS buyer`

describe('the SQL of the runbooks', () => {
  let database: ScratchDatabase

  beforeAll(async () => {
    database = await ScratchDatabase.make(escrowPlan, disputePlan, identityPlan, listingPlan, messagingPlan)
    await database.admin.query(DEAL)
  })
  afterAll(() => database.drop())

  const pages = fs.readdirSync(RUNBOOKS).filter(page => statementsOf(page).length > 0)

  it.each(pages)('of %s runs on the present schema, as the database’s owner', async page => {
    const client = await database.admin.connect()
    try {
      for (const statement of statementsOf(page)) {
        await client.query('begin')
        await expect(client.query(statement)).resolves.toBeDefined()
        await client.query('rollback')
      }
    } finally {
      client.release(true)
    }
  })

  it('of disputes.md finds a deal that the system stopped without a dispute, and writes its dispute', async () => {
    const [find, write] = [
      'select deal.id, deal.frozen, deal.updated_at',
      'insert into dispute.dispute (transaction_id',
    ].map(start => statementsOf('disputes.md').find(statement => statement.startsWith(start))!)
    const client = await database.admin.connect()
    try {
      await client.query('begin')
      await client.query(`UPDATE escrow.transaction SET frozen = '{"overdue": true, "version": 3}' WHERE id = 1001`)
      expect((await client.query(find!)).rows).toMatchObject([{ id: '1001' }])
      const { rows } = await client.query(write!)
      const dispute = await client.query('SELECT reason, stopped_at_version FROM dispute.dispute WHERE id = $1', [
        rows[0].id,
      ])
      expect(dispute.rows).toEqual([{ reason: 'item_not_received', stopped_at_version: 3 }])
      expect((await client.query(find!)).rows).toEqual([])
    } finally {
      client.release(true)
    }
  })
})
