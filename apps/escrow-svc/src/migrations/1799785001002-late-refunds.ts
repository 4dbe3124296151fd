import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** Lets the few refunds that were made at the provider after their deals had ended be found without reading the others. */
export class LateRefunds1799785001002 extends OnlineIndexes {
  readonly name = 'LateRefunds1799785001002'
  protected readonly indexes = { refund_late: `escrow.refund (created_at) WHERE origin = 'provider_late'` }
}
