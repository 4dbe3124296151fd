import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { RefundsService } from '../src/payments/refunds.service.js'
import { PremiumUsers } from './premium-users.js'
import type { RunningEscrow } from './running-escrow.js'
import { SellerPayouts } from './seller-payouts.js'

/**
 * Makes movements of every kind at the provider, and lets the escrow book them: charges, also of Premium, a payout that the seller's
 * bank returns, a refund, a chargeback, and a payout to our own bank.
 *
 * @returns the id of the seller's payout
 */
export async function makeMovements(escrow: RunningEscrow, seller: UserActor): Promise<string> {
  const payouts = new SellerPayouts(escrow)
  await new PremiumUsers(escrow).premium()
  await payouts.sell(seller)
  const { body: returned } = await payouts.request(seller)
  await payouts.reach(returned.id, 'in_transit')
  await payouts.atBank(returned.id, 'fail')
  await payouts.sendEvents('payout.')
  await payouts.reach(returned.id, 'returned')

  const refunded = await escrow.paidAtProvider()
  await escrow.act(refunded.id, refunded.seller, 'refund')
  const refund = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [
    refunded.id,
  ])
  await escrow.service.app.get(RefundsService).send(refund.id)
  const charged = await escrow.paidAtProvider()
  await escrow.dependencies.control(`/payments/${charged.intent}/dispute`)
  await escrow.sendProviderEvents(charged.intent, 'charge.dispute.')
  await escrow.dependencies.control('/platform-payouts', { amount: 700 })
  await payouts.sendEvents('payout.')
  return returned.id
}
