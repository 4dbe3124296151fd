import { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import { findDealAbout } from './find-deal.js'
import { GOODS_IN_DEALS } from './goods-in-deals.js'
import type { Item } from './item.js'
import type { Members } from './open-accounts.js'

/**
 * One admin asks for a refund above the amount that needs a second admin, so that a request waits. Started again it asks only when
 * none was asked for.
 */
export async function askForRefund({ maya, ines }: Members, listings: ReadonlyMap<Item, number>): Promise<void> {
  const requests = await ines.call(escrowAdminRoutes.listApprovals, { query: {} })
  if (requests.length > 0) return
  const id = await findDealAbout(maya, listings, GOODS_IN_DEALS.chair)
  await ines.call(escrowAdminRoutes.forceRefund, {
    params: { id: String(id) },
    body: {
      reason:
        'Ruth wrote to support: the chair was damaged in her hallway, and she cannot sign in to refund it herself.',
      reasonForParties: 'The seller told us that the chair was damaged before it was sent.',
    },
  })
}
