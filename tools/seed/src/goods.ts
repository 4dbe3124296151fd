import type { CreateListing } from '@holdfast/contracts/listings'
import { GOODS_IN_DEALS } from './goods-in-deals.js'
import { GOODS_ON_SALE } from './goods-on-sale.js'
import type { Trader } from './people.js'
import type { Svg } from './pictures/scene.js'

/** An item somebody offers. */
export interface Goods
  extends Pick<
    CreateListing,
    'title' | 'description' | 'price' | 'category' | 'condition' | 'inspectionPeriod' | 'returnPolicy'
  > {
  readonly location: string
  readonly seller: Trader
  readonly pictures: readonly Svg[]
}

/** Everything on offer, oldest first: what is for sale comes last, so that it is what one sees first. */
export const GOODS: readonly Goods[] = [...Object.values(GOODS_IN_DEALS), ...GOODS_ON_SALE]
