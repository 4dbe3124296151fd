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
}: Pick<Transaction, 'viewerRole' | 'amount' | 'money'>): AmountLine[] {
  const price = { label: 'Amount', amount }
  const buyer = [
    { label: "Buyer's fees", amount: money.buyerFee },
    { label: viewerRole === 'buyer' ? 'You pay' : 'The buyer pays', amount: money.buyerTotal },
  ]
  const seller = [
    { label: "Seller's fee", amount: `-${money.sellerFee}` },
    { label: viewerRole === 'seller' ? 'You receive' : 'The seller receives', amount: money.sellerNet },
  ]
  if (viewerRole === 'buyer') return [price, ...buyer]
  if (viewerRole === 'seller') return [price, ...seller]
  return [price, ...buyer, ...seller]
}
