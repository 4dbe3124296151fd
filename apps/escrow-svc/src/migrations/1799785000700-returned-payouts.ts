import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** Lets the few payouts that came back be found without reading the others. */
export class ReturnedPayouts1799785000700 extends OnlineIndexes {
  readonly name = 'ReturnedPayouts1799785000700'
  protected readonly indexes = { payout_returned: `escrow.payout (seller_id) WHERE status = 'returned'` }
}
