import type { Listing } from '@holdfast/contracts/listings'
import {
  type Category,
  type Condition,
  type InspectionDays,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  type ReturnPolicy,
} from '@holdfast/kernel/listings'
import { DEAL_CURRENCY, displayMinor, isZero, MAX_PRICE_MINOR, parseAmount } from '@holdfast/kernel/money'
import { readTypedAmount } from '@holdfast/kernel/typed-amount'

/** An item and the terms it is sold on, as the fields of a form hold them. */
export interface ItemDetails {
  readonly title: string
  readonly description: string
  readonly price: string
  readonly category: Category | ''
  readonly condition: Condition | ''
  readonly location: string
  readonly inspectionPeriod: InspectionDays
  readonly returnPolicy: ReturnPolicy
}

export const EMPTY_ITEM: ItemDetails = {
  title: '',
  description: '',
  price: '',
  category: '',
  condition: '',
  location: '',
  inspectionPeriod: 0,
  returnPolicy: 'no-returns',
}

/** A listing as its form shows it. */
export const itemDetailsOf = (listing: Listing): ItemDetails => ({
  title: listing.title,
  description: listing.description,
  price: listing.price,
  category: listing.category,
  condition: listing.condition,
  location: listing.location ?? '',
  inspectionPeriod: listing.inspectionPeriod as InspectionDays,
  returnPolicy: listing.returnPolicy,
})

/** Whether two describe the same item on the same terms. */
export const isSameItem = (one: ItemDetails, other: ItemDetails): boolean =>
  (Object.keys(EMPTY_ITEM) as (keyof ItemDetails)[]).every(
    field => String(one[field]).trim() === String(other[field]).trim(),
  )

export type ItemErrors = Partial<Record<keyof ItemDetails, string>>

/** What is missing or wrong, by field, from the top; empty when it may be sent. The server decides again. */
export function validateItem(item: ItemDetails): ItemErrors {
  return Object.fromEntries(
    Object.entries({
      title: textError(item.title, 'Enter a title', MAX_TITLE_LENGTH),
      description: textError(item.description, 'Enter a description', MAX_DESCRIPTION_LENGTH),
      price: priceError(item.price),
      category: item.category === '' ? 'Choose a category' : undefined,
      condition: item.condition === '' ? 'Choose a condition' : undefined,
    }).filter(([, error]) => error !== undefined),
  )
}

function textError(text: string, missing: string, max: number): string | undefined {
  if (text.trim() === '') return missing
  return text.trim().length > max ? `At most ${max} characters` : undefined
}

const ABOVE_ZERO = 'Enter a price above zero'
const MAX_PRICE = displayMinor(MAX_PRICE_MINOR, DEAL_CURRENCY)

function priceError(price: string): string | undefined {
  if (price.trim() === '') return 'Enter a price'
  if (price.trim().startsWith('-')) return ABOVE_ZERO
  const { amount, fault } = readTypedAmount(price, DEAL_CURRENCY)
  if (amount === undefined) return fault
  if (isZero(amount)) return ABOVE_ZERO
  return parseAmount(amount, DEAL_CURRENCY) > MAX_PRICE_MINOR ? `Enter ${MAX_PRICE} at most` : undefined
}

/** The price as a request carries it: "3000.00". Undefined while it is no amount. */
export const priceOf = ({ price }: Pick<ItemDetails, 'price'>): string | undefined =>
  readTypedAmount(price, DEAL_CURRENCY).amount

/** What a request says of the item. Throws for what `validateItem` would not let pass. */
export function itemPayloadOf({ category, condition, ...item }: ItemDetails) {
  const price = priceOf(item)
  if (category === '' || condition === '' || price === undefined) throw new Error('the details were not validated')
  return {
    title: item.title.trim(),
    description: item.description.trim(),
    price,
    category,
    condition,
    location: item.location.trim() || null,
    inspectionPeriod: item.inspectionPeriod,
    returnPolicy: item.returnPolicy,
  }
}
