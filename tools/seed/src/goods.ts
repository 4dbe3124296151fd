import { GOODS_IN_DEALS } from './goods-in-deals.js'
import { GOODS_ON_SALE } from './goods-on-sale.js'
import type { Item } from './item.js'

/** Everything on offer, oldest first: what is for sale comes last, so that it is what one sees first. */
export const GOODS: readonly Item[] = [...Object.values(GOODS_IN_DEALS), ...GOODS_ON_SALE]
