import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { Item } from './item.js'
import { live } from './live-story.js'
import type { Member } from './member.js'
import type { Members } from './open-accounts.js'
import type { Sandbox } from './sandbox.js'
import { STORIES } from './stories.js'
import type { Story } from './story.js'

/**
 * Opens every deal of the demo, in order, and lets it come to where it stands; those go on side by side.
 *
 * @param note hears how many deals stand where they should
 */
export async function tellStories(
  members: Members,
  listings: ReadonlyMap<Item, number>,
  sandbox: Sandbox,
  note: (done: number) => void,
): Promise<void> {
  let done = 0
  const running: Promise<void>[] = []
  for (const story of STORIES) {
    const buyer = members[story.buyer]
    const seller = members[story.goods.seller]
    const id = await open(buyer, story, listings)
    const told = live({ id, parties: { buyer, seller }, sandbox }, story.steps).then(() => note(++done))
    // Awaited below; until then its failure must not end the process.
    told.catch(() => undefined)
    running.push(told)
  }
  await Promise.all(running)
}

async function open(buyer: Member, { goods }: Story, listings: ReadonlyMap<Item, number>): Promise<number> {
  const listingId = listings.get(goods)
  if (listingId === undefined) throw new Error(`"${goods.title}" is not on offer.`)
  const deals = await buyer.call(transactionRoutes.listTransactions, { query: { limit: MAX_PAGE_SIZE } })
  const known = deals.find(deal => deal.listingId === listingId)
  if (known) return known.id
  const body = { listingId, buyerId: buyer.id, amount: goods.price }
  const deal = await buyer.call(transactionRoutes.createTransaction, { body })
  return deal.id
}
