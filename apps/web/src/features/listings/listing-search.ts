import { CATEGORIES, CONDITIONS, LISTING_SORTS, type ListingSort } from '@holdfast/kernel/listings'
import { DEAL_CURRENCY, findAmount } from '@holdfast/kernel/money'
import { readTypedAmount } from '@holdfast/kernel/typed-amount'
import type { Faults } from '../../lib/form/use-form.js'

export const SORT_LABELS: Record<ListingSort, string> = {
  newest: 'Newest first',
  'price-asc': 'Price, low to high',
  'price-desc': 'Price, high to low',
}

/** What the browse page asks for; what is absent does not narrow the list. It lives in the page's address. */
export interface ListingSearch {
  readonly q?: string
  readonly category?: (typeof CATEGORIES)[number]
  readonly condition?: (typeof CONDITIONS)[number]
  readonly minPrice?: string
  readonly maxPrice?: string
  readonly sort: ListingSort
}

/** A search as the fields of the filters hold it: text, and empty where it narrows nothing. */
export type FilterValues = Record<keyof ListingSearch, string>

export const filterValuesOf = (search: ListingSearch): FilterValues => ({
  ...{ q: '', category: '', condition: '', minPrice: '', maxPrice: '' },
  ...search,
})

/** What is wrong in the filters, by field. */
export function validateFilters({ minPrice, maxPrice }: FilterValues): Faults<FilterValues> {
  const fault = (price: string) => (price.trim() === '' ? undefined : readTypedAmount(price, DEAL_CURRENCY).fault)
  return { minPrice: fault(minPrice), maxPrice: fault(maxPrice) }
}

/** The search of filters without faults, in which prices stand as they were typed. */
export function searchOf({ minPrice, maxPrice, ...rest }: FilterValues): ListingSearch {
  // Whole dollars without decimals make shorter addresses.
  const price = (typed: string) => readTypedAmount(typed, DEAL_CURRENCY).amount?.replace(/\.0+$/, '') ?? ''
  return readSearch(new URLSearchParams({ ...rest, minPrice: price(minPrice), maxPrice: price(maxPrice) }))
}

/** Reads a search from an address. A value that is not among the choices, and a price in another form than requests have, is left out. */
export function readSearch(params: URLSearchParams): ListingSearch {
  const oneOf = <T extends string>(name: string, choices: readonly T[]) =>
    choices.find(choice => choice === params.get(name))
  const price = (name: string) => {
    const value = params.get(name)
    return value !== null && findAmount(value, DEAL_CURRENCY) !== null ? value : undefined
  }
  return defined({
    q: params.get('q')?.trim() || undefined,
    category: oneOf('category', CATEGORIES),
    condition: oneOf('condition', CONDITIONS),
    minPrice: price('minPrice'),
    maxPrice: price('maxPrice'),
    sort: oneOf('sort', LISTING_SORTS) ?? 'newest',
  })
}

/** Writes a search as an address has it: defaults and empty fields are left out. */
export function writeSearch({ sort, ...rest }: ListingSearch): URLSearchParams {
  return new URLSearchParams(defined({ ...rest, ...(sort === 'newest' ? {} : { sort }) }))
}

/** How many filters narrow the list, the search words aside. */
export function countFilters({ category, condition, minPrice, maxPrice }: ListingSearch): number {
  return [category, condition, minPrice, maxPrice].filter(Boolean).length
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
