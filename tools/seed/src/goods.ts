import { GOODS_IN_DEALS } from './goods-in-deals.js'
import { GOODS_ON_SALE } from './goods-on-sale.js'
import type { Item } from './item.js'

/** Every item, oldest first. Those still for sale come last, so that lists show them first. */
export const GOODS: readonly Item[] = [...Object.values(GOODS_IN_DEALS), ...GOODS_ON_SALE]
