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
  if (paid && reached.some(entry => entry.status === 'cancelled')) return givenBack(viewerRole, price, money)
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
  return [price, ...(viewerRole === 'buyer' ? buyer : seller)]
}

/** A deal whose money went back: the seller's fee and net are of no deal any longer, and nobody may count on them. */
function givenBack(
  viewerRole: Transaction['viewerRole'],
  price: AmountLine,
  money: Transaction['money'],
): AmountLine[] {
  const isBuyer = viewerRole === 'buyer'
  return [
    price,
    ...(viewerRole === 'seller' ? [] : [{ label: "Buyer's fees", amount: money.buyerFee }]),
    { label: isBuyer ? 'You paid' : 'The buyer paid', amount: money.buyerTotal },
    { label: isBuyer ? 'Goes back to you' : 'Goes back to the buyer', amount: money.refunded },
  ]
}
