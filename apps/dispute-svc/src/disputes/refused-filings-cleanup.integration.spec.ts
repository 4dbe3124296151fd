import { RETENTION } from '@holdfast/service-kit/lifecycle/retention'
import { cleanupPlan } from '@holdfast/testing/cleanup-plan'
import { aDeal } from '../../test/fake-escrow.js'
import { RunningDispute } from '../../test/running-dispute.js'
import { RefusedFilingsCleanup } from './refused-filings-cleanup.js'

let disputes: RunningDispute
beforeAll(async () => {
  disputes = await RunningDispute.start()
})
afterAll(() => disputes?.stop())

const KEPT_DAYS = RETENTION.REFUSED_FILING_KEPT_DAYS.usual

const query = async (sql: string, values: unknown[]) => (await disputes.database.admin.query(sql, values)).rows
const changedDaysAgo = (id: number, days: number) =>
  query(`UPDATE dispute.dispute SET updated_at = now() - $2 * interval '1 day' WHERE id = $1`, [id, days])

/** A filing that escrow has refused. */
async function refused(): Promise<number> {
  const deal = aDeal()
  disputes.escrow.refuse(409, 'ESCROW_WRONG_STATE')
  expect((await disputes.file(deal, deal.buyer)).status).toBe(409)
  return (await disputes.refusedOn(deal.id))[0]!
}

/** A filing that escrow has not answered. */
async function unanswered(): Promise<number> {
  const deal = aDeal()
  disputes.escrow.answer = () => null
  await disputes.file(deal, deal.buyer)
  return (await disputes.stepsOf(deal.id))[0]!.id
}

test('a refused filing is deleted when its time has passed; no younger one, and no other dispute', async () => {
  const [old, young] = [await refused(), await refused()]
  const open = (await disputes.aDispute()).id
  const withdrawn = await disputes.aDispute()
  await disputes.withdraw(withdrawn.id, withdrawn.buyer)
  const freezing = await unanswered()
  for (const id of [old, open, withdrawn.id, freezing]) await changedDaysAgo(id, KEPT_DAYS + 1)
  await changedDaysAgo(young, KEPT_DAYS - 1)
  await disputes.running.app.get(RefusedFilingsCleanup).run()
  const left = await query('SELECT id::int AS id FROM dispute.dispute ORDER BY id', [])
  expect(left.map(({ id }) => id)).toEqual([young, open, withdrawn.id, freezing])
})

test('refused filings are found by an index, in the order of their time', async () => {
  const cleanup = disputes.running.app.get(RefusedFilingsCleanup)
  expect(await cleanupPlan(disputes.database.admin, 'dispute', cleanup)).not.toMatch(/Seq Scan|Sort/)
})
