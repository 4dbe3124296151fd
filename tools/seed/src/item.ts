import type { CreateListing } from '@holdfast/contracts/listings'
import type { Trader } from './people.js'

/** An item that a seller of the demo offers. */
export interface Item
  extends Pick<
    CreateListing,
    'title' | 'description' | 'price' | 'category' | 'condition' | 'inspectionPeriod' | 'returnPolicy'
  > {
  readonly location: string
  readonly seller: Trader
  /** Names of drawings in `pictures/`. */
  readonly pictures: readonly string[]
}
