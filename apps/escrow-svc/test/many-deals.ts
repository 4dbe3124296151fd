import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { type DealDriver, type DealUnderTest, person } from './deal-driver.js'
import { succeeded } from './stripe-events.js'

/** Requests on their way at the same time while many deals are prepared. */
const AT_ONCE = 24

/**
 * Paid deals in inspection, many and soon: the payment's row is put there, everything else goes its ordinary way. The
 * provider knows nothing of these payments and could give nothing back.
 */
export async function manyInInspection(escrow: DealDriver, count: number): Promise<DealUnderTest[]> {
  await untilWell(escrow)
  const deals: DealUnderTest[] = []
  const lane = async () => {
    while (deals.length < count) {
      const place = deals.push(null as never) - 1
      const deal = await escrow.open()
      deals[place] = deal
      const intent = `pi_ready_${deal.id}`
      await escrow.database.admin.query(
        `INSERT INTO escrow.payment (id, transaction_id, user_id, method, status, amount_minor, currency, intent_id,
           created_at, updated_at) VALUES ($1, $2, $3, 'card', 'open', $4, 'USD', $5, now(), now())`,
        [newId(), deal.id, deal.buyer.id, deal.totalMinor, intent],
      )
      await escrow.webhook(succeeded(intent, deal.totalMinor))
      const { status } = await escrow.act(deal.id, deal.buyer, 'confirm-delivery')
      if (status !== 200) throw new Error(`the deal is not in inspection: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return deals
}

const WELL_WITHIN_MS = 20_000

/** Connections that a test before has broken are found out by whoever uses them next: by this, and not by the deals. */
async function untilWell(escrow: DealDriver): Promise<void> {
  const stranger = person()
  await eventually(async () => {
    const ordinary = Array.from({ length: AT_ONCE }, () =>
      escrow.request('GET', '/api/transactions/summary', { actor: stranger }),
    )
    const money = Array.from({ length: AT_ONCE }, () => escrow.act(1, stranger, 'accept'))
    const answers = await Promise.all([...ordinary, ...money])
    return answers.every(({ status }) => status !== 503)
  }, WELL_WITHIN_MS)
}
