import { CATEGORIES, CONDITIONS, LISTING_SORTS, type ListingSort } from '@holdfast/kernel/listings'

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

/** A price as the address and the filter's fields have it. */
export const PRICE_PATTERN = '\\d{1,15}(\\.\\d{1,2})?'
const PRICE = new RegExp(`^${PRICE_PATTERN}$`)

/** Reads a search from an address. A value that is not among the choices is left out. */
export function readSearch(params: URLSearchParams): ListingSearch {
  const oneOf = <T extends string>(name: string, choices: readonly T[]) =>
    choices.find(choice => choice === params.get(name))
  const price = (name: string) => {
    const value = params.get(name)
    return value !== null && PRICE.test(value) ? value : undefined
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
