import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** Lets the payouts that are not finished be counted without reading the others. */
export class UnfinishedPayouts1799785001003 extends OnlineIndexes {
  readonly name = 'UnfinishedPayouts1799785001003'
  protected readonly indexes = {
    payout_unfinished: `escrow.payout (id) WHERE status <> 'returned' AND (status <> 'paid' OR failure IS NOT NULL)`,
  }
}
