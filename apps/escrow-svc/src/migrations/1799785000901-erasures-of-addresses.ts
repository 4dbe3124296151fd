import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** Lets the few payers whose address is to be erased be found without reading the other payments. */
export class ErasuresOfAddresses1799785000901 extends OnlineIndexes {
  readonly name = 'ErasuresOfAddresses1799785000901'
  protected readonly indexes = {
    payment_address_erasure_due: 'escrow.payment (address_erasure_due_at) WHERE address_erasure_due_at IS NOT NULL',
  }
}
