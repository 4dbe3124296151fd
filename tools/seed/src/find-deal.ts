import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { Item } from './item.js'
import type { Member } from './member.js'

/**
 * The number of a buyer's deal about an item.
 *
 * @throws Error when the buyer has no deal about it
 */
export async function findDealAbout(buyer: Member, listings: ReadonlyMap<Item, number>, item: Item): Promise<number> {
  const deals = await buyer.call(transactionRoutes.listTransactions, { query: { limit: MAX_PAGE_SIZE } })
  const deal = deals.find(({ listingId }) => listingId === listings.get(item))
  if (!deal) throw new Error(`The deal about "${item.title}" is missing.`)
  return deal.id
}
