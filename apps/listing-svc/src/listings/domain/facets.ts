import { CATEGORIES, type Category, CONDITIONS, type Condition } from '@holdfast/kernel/listings'

/** How many listings have this category and this condition. */
export interface FacetCount {
  readonly category: Category
  readonly condition: Condition
  readonly count: number
}

/** How many listings have each value of a field, in the order of the field's choices. Values without a listing are left out. */
type Counts<Value> = { readonly value: Value; readonly count: number }[]

/**
 * What a reader of a filtered list can choose, and how many listings each choice leads to. The counts of a field leave its own
 * filter out, because choosing another value replaces it.
 */
export function facetsOf(
  counts: readonly FacetCount[],
  chosen: { readonly category?: Category | undefined; readonly condition?: Condition | undefined },
): { readonly total: number; readonly category: Counts<Category>; readonly condition: Counts<Condition> } {
  const inCategory = counts.filter(({ category }) => chosen.category === undefined || category === chosen.category)
  const inCondition = counts.filter(({ condition }) => chosen.condition === undefined || condition === chosen.condition)
  return {
    total: sum(inCategory.filter(each => inCondition.includes(each))),
    category: countsOf(CATEGORIES, value => sum(inCondition.filter(({ category }) => category === value))),
    condition: countsOf(CONDITIONS, value => sum(inCategory.filter(({ condition }) => condition === value))),
  }
}

/**
 * The counts of all matches, when those of a part of them are known.
 *
 * @param expected how many matches there are, as PostgreSQL expects: never fewer than were counted
 */
export function estimated(counts: readonly FacetCount[], expected: number): FacetCount[] {
  const times = Math.max(1, expected / sum(counts))
  return counts.map(each => ({ ...each, count: Math.round(each.count * times) }))
}

const sum = (counts: readonly FacetCount[]) => counts.reduce((total, { count }) => total + count, 0)

const countsOf = <Value>(values: readonly Value[], countOf: (value: Value) => number): Counts<Value> =>
  values.map(value => ({ value, count: countOf(value) })).filter(({ count }) => count > 0)
