import type { CreateListing } from '@holdfast/contracts/listings'
import type { Trader } from './people.js'
import type { Svg } from './pictures/scene.js'

/** An item somebody offers. */
export interface Item
  extends Pick<
    CreateListing,
    'title' | 'description' | 'price' | 'category' | 'condition' | 'inspectionPeriod' | 'returnPolicy'
  > {
  readonly location: string
  readonly seller: Trader
  readonly pictures: readonly Svg[]
}
