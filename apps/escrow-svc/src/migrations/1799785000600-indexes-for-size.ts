import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/**
 * What is looked for again and again and is few among all: deals that hold money or are disputed, payments without an outcome, what sellers
 * owe, and the refunds of a deal.
 */
export class IndexesForSize1799785000600 extends OnlineIndexes {
  readonly name = 'IndexesForSize1799785000600'
  protected readonly indexes = {
    transaction_held: 'escrow.transaction (currency, hold_minor) WHERE hold_minor > 0',
    transaction_disputed: `escrow.transaction (updated_at) WHERE status = 'disputed'`,
    posting_seller_owes: `escrow.posting (debit) WHERE debit LIKE 'seller_payable:%' AND credit NOT LIKE 'payout_in_transit:%'`,
    refund_transaction: 'escrow.refund (transaction_id)',
    payment_unknown: `escrow.payment (updated_at) WHERE status IN ('creating', 'processing')`,
  }
}
