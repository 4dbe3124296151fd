import type { Transaction } from '@holdfast/contracts/transactions'

interface AmountLine {
  readonly label: string
  readonly amount: string
}

/** What a deal costs or brings, from the viewer's side: price, own fee, and what that makes. */
export function summaryOf({
  viewerRole,
  amount,
  money,
  reached,
}: Pick<Transaction, 'viewerRole' | 'amount' | 'money' | 'reached'>): AmountLine[] {
  const paid = reached.some(entry => entry.status === 'paid')
  const released = reached.some(entry => entry.status === 'released' || entry.status === 'completed')
  const price = { label: 'Amount', amount }
  const buyer = [
    { label: "Buyer's fees", amount: money.buyerFee },
    {
      label: `${viewerRole === 'buyer' ? 'You' : 'The buyer'} ${paid ? 'paid' : viewerRole === 'buyer' ? 'pay' : 'pays'}`,
      amount: money.buyerTotal,
    },
  ]
  const seller = [
    { label: "Seller's fee", amount: `-${money.sellerFee}` },
    {
      label: `${viewerRole === 'seller' ? 'You' : 'The seller'} ${released ? 'received' : viewerRole === 'seller' ? 'receive' : 'receives'}`,
      amount: money.sellerNet,
    },
  ]
  if (viewerRole === 'buyer') return [price, ...buyer]
  if (viewerRole === 'seller') return [price, ...seller]
  return [price, ...buyer, ...seller]
}
