import { listingRoutes } from '@holdfast/contracts/listings'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { GOODS } from './goods.js'
import type { Item } from './item.js'
import type { Member } from './member.js'
import type { Members } from './open-accounts.js'
import { rasterise } from './pictures.js'

/** For so many listings ahead the pictures are rasterised early, since that takes longest. */
const RASTERISED_AHEAD = 4

/**
 * Creates the listings that do not exist yet, in order, so that the last item is the newest listing.
 *
 * @param note is called after each listing with how many are done
 * @returns the listing's id of each item
 */
export async function offerGoods(members: Members, note: (done: number) => void): Promise<ReadonlyMap<Item, number>> {
  const ids = await findOffered(members)
  const missing = GOODS.filter(goods => !ids.has(goods))
  const rasterised: Promise<string[]>[] = []
  for (const [index, goods] of missing.entries()) {
    for (const ahead of missing.slice(rasterised.length, index + RASTERISED_AHEAD)) {
      rasterised.push(rasterise(ahead.pictures))
    }
    const listing = await offer(members[goods.seller], goods, (await rasterised[index]) ?? [])
    ids.set(goods, listing.id)
    note(ids.size)
  }
  return ids
}

async function findOffered(members: Members): Promise<Map<Item, number>> {
  const ids = new Map<Item, number>()
  for (const member of Object.values(members)) {
    const query = { sellerId: member.id, limit: MAX_PAGE_SIZE }
    for (const listing of await member.call(listingRoutes.listListings, { query })) {
      const goods = GOODS.find(each => each.title === listing.title)
      if (goods) ids.set(goods, listing.id)
    }
  }
  return ids
}

function offer(seller: Member, { pictures: _, seller: __, ...goods }: Item, images: string[]) {
  const { firstName, lastName } = seller.person
  return seller.call(listingRoutes.createListing, {
    body: {
      ...goods,
      images,
      legalAcceptance: {
        termsAccepted: true,
        escrowAgreement: true,
        harmlessClause: true,
        digitalSignature: `${firstName} ${lastName}`,
        signatureDate: new Date().toISOString(),
      },
    },
  })
}
