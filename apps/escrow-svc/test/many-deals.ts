import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { untilServed } from '@holdfast/testing/until-served'
import type { DealDriver, DealUnderTest } from './deal-driver.js'

/** How many deals are prepared at the same time. */
const CONCURRENCY = 24
const CONNECTED_WITHIN_MS = 20_000

/**
 * Prepares many deals in inspection quickly. Their payment rows are inserted directly; every other step is a request. The
 * provider does not know these payments, so it cannot refund them.
 */
export async function manyInInspection(escrow: DealDriver, count: number): Promise<DealUnderTest[]> {
  await waitForConnections(escrow)
  const deals: DealUnderTest[] = []
  let begun = 0
  const prepareNext = async () => {
    while (begun < count) {
      begun++
      const deal = await escrow.open()
      deals.push(deal)
      const intent = `pi_ready_${deal.id}`
      await escrow.database.admin.query(
        `INSERT INTO escrow.payment (id, transaction_id, user_id, method, status, amount_minor, currency, intent_id,
           created_at, updated_at) VALUES ($1, $2, $3, 'card', 'open', $4, 'USD', $5, now(), now())`,
        [newId(), deal.id, deal.buyer.id, deal.totalMinor, intent],
      )
      await escrow.webhook(succeeded(intent, deal.totalMinor))
      const { status } = await untilServed(() => escrow.act(deal.id, deal.buyer, 'confirm-delivery'))
      if (status !== 200) throw new Error(`the deal is not in inspection: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, prepareNext))
  return deals
}

/** Waits until no request fails. An earlier test may have broken pooled connections, and their next use answers 503. */
async function waitForConnections(escrow: DealDriver): Promise<void> {
  const stranger = userActor()
  await eventually(async () => {
    const reads = Array.from({ length: CONCURRENCY }, () =>
      escrow.request('GET', '/api/transactions/summary', { actor: stranger }),
    )
    const commands = Array.from({ length: CONCURRENCY }, () => escrow.act(1, stranger, 'accept'))
    const answers = await Promise.all([...reads, ...commands])
    return answers.every(({ status }) => status !== 503)
  }, CONNECTED_WITHIN_MS)
}
