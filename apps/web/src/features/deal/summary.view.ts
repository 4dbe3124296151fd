import type { Transaction } from '@holdfast/contracts/transactions'
import { isZero } from '@holdfast/kernel/money'
import { feesKept, type LabelledAmount, ownAmount } from './shared/money.js'

type Deal = Pick<Transaction, 'viewerRole' | 'amount' | 'currency' | 'money'>

/** What a deal costs or brings, from the viewer's side: price, own fee, and what that makes. */
export function summaryOf(deal: Deal): LabelledAmount[] {
  const { viewerRole, amount, money } = deal
  const price = { label: 'Amount', amount }
  if (!isZero(money.refunded) || !isZero(money.chargedBack)) return [price, ...refunded(deal)]
  const fee =
    viewerRole === 'buyer'
      ? { label: "Buyer's fees", amount: money.buyerFee }
      : { label: "Seller's fee", amount: `-${money.sellerFee}` }
  return [price, fee, ownAmount(deal)]
}

/** After a refund or a chargeback only what really happened counts: what was paid, and each part of it. The parts sum to what was paid. */
function refunded({ viewerRole, currency, money }: Deal): LabelledAmount[] {
  const isBuyer = viewerRole === 'buyer'
  const parts = [
    { label: isBuyer ? 'Goes back to you' : 'Goes back to the buyer', amount: money.refunded },
    { label: `Taken back by ${isBuyer ? 'your' : 'the buyer’s'} bank`, amount: money.chargedBack },
    { label: isBuyer ? 'Released to the seller' : 'You received', amount: money.released },
    { label: 'Holdfast’s fees', amount: feesKept(money, currency) },
  ]
  return [
    ...(isBuyer ? [{ label: "Buyer's fees", amount: money.buyerFee }] : []),
    { label: isBuyer ? 'You paid' : 'The buyer paid', amount: money.buyerTotal },
    ...parts.filter(({ amount }) => !isZero(amount)),
  ]
}
