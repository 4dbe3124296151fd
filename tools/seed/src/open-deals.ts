import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { ApiError } from '@holdfast/http-client/api-error'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { DemoDeal } from './deal-steps.js'
import { DEMO_DEALS } from './demo-deals.js'
import { eventually } from './eventually.js'
import type { Item } from './item.js'
import type { Member } from './member.js'
import type { Members } from './open-accounts.js'
import { performSteps } from './perform-steps.js'
import type { Sandbox } from './sandbox.js'

/**
 * Opens every deal of the demo, in order, and performs its steps. Steps of several deals run at the same time.
 *
 * @param note is called with how many deals are done
 */
export async function openDeals(
  members: Members,
  listings: ReadonlyMap<Item, number>,
  sandbox: Sandbox,
  note: (done: number) => void,
): Promise<void> {
  let done = 0
  const running: Promise<void>[] = []
  for (const deal of DEMO_DEALS) {
    const buyer = members[deal.buyer]
    const seller = members[deal.goods.seller]
    const id = await open(buyer, deal, listings)
    const performed = performSteps(
      { id, parties: { buyer, seller }, mediator: members.ines, sandbox },
      deal.steps,
    ).then(() => note(++done))
    // Awaited below; until then Node must not report its failure as unhandled.
    performed.catch(() => undefined)
    running.push(performed)
  }
  await Promise.all(running)
}

async function open(buyer: Member, { goods }: DemoDeal, listings: ReadonlyMap<Item, number>): Promise<number> {
  const listingId = listings.get(goods)
  if (listingId === undefined) throw new Error(`"${goods.title}" is not for sale.`)
  const deals = await buyer.call(transactionRoutes.listTransactions, { query: { limit: MAX_PAGE_SIZE } })
  const known = deals.find(deal => deal.listingId === listingId)
  if (known) return known.id
  const body = { listingId, buyerId: buyer.id, amount: goods.price }
  let id: number | undefined
  await eventually(`${buyer.person.firstName} had paid enough to reserve one more item`, async () => {
    try {
      id = (await buyer.call(transactionRoutes.createTransaction, { body })).id
    } catch (error) {
      // The other deals are being paid. On a slow machine too many of them are not paid yet.
      if (!(error instanceof ApiError && error.code === 'RATE_LIMITED')) throw error
    }
    return id !== undefined
  })
  return id!
}
