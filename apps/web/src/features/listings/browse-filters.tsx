import { CATEGORIES, CONDITIONS, LISTING_SORTS } from '@holdfast/kernel/listings'
import { MAX_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { ChevronDown, Search } from 'lucide-react'
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { Button } from '../../components/button.js'
import { Field, Fieldset } from '../../components/field.js'
import { AmountInput, SearchInput } from '../../components/input.js'
import { Select } from '../../components/select.js'
import { useWide } from '../../lib/use-wide.js'
import { countFilters, type ListingSearch, PRICE_PATTERN, readSearch, SORT_LABELS } from './listing-search.js'

interface BrowseFiltersProps {
  search: ListingSearch
  onChange: (search: ListingSearch) => void
}

/** Search words, filters and order. Choices apply at once, prices when both are left, and all when Enter is pressed. */
export function BrowseFilters({ search, onChange }: BrowseFiltersProps) {
  const form = useRef<HTMLFormElement>(null)
  const wide = useWide()
  useFormOf(search, form)
  const filters = countFilters(search)
  const apply = () => {
    // A price that is not a number narrows nothing; the browser says so when the form is sent.
    if (!form.current?.checkValidity()) return
    const fields = new FormData(form.current)
    onChange(readSearch(new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))))
  }
  return (
    <search>
      <form
        ref={form}
        onSubmit={event => {
          event.preventDefault()
          apply()
        }}
        className="grid content-start gap-5"
      >
        <Field label="Search items" hideLabel>
          <SearchInput
            name="q"
            icon={<Search className="size-4" />}
            placeholder="Search items"
            defaultValue={search.q}
            maxLength={MAX_SEARCH_LENGTH}
          />
        </Field>
        <details open={wide || undefined} className="group">
          <summary className="flex min-h-11 list-none items-center justify-between rounded-md border border-edge px-3 font-semibold lg:hidden">
            {filters > 0 ? `Filters and order (${filters})` : 'Filters and order'}
            <ChevronDown aria-hidden="true" className="size-4 group-open:rotate-180" />
          </summary>
          <div className="grid gap-5 pt-5 lg:pt-0">
            <ChoiceFields search={search} apply={apply} />
            <PriceFields search={search} apply={apply} />
            <Button type="submit" kind="quiet">
              Apply
            </Button>
          </div>
        </details>
      </form>
    </search>
  )
}

/** Fills the form with a search that came from elsewhere: Back, a link, or 'Clear'. What is being typed stays. */
function useFormOf(search: ListingSearch, form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    for (const field of form.current?.elements ?? []) {
      if (field === document.activeElement) continue
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        field.value = search[field.name as keyof ListingSearch] ?? ''
      }
    }
  }, [search, form])
}

interface GroupProps {
  search: ListingSearch
  apply: () => void
}

function ChoiceFields({ search, apply }: GroupProps) {
  return (
    <>
      <Field label="Sort by">
        <Select name="sort" defaultValue={search.sort} onChange={apply}>
          {LISTING_SORTS.map(sort => (
            <option key={sort} value={sort}>
              {SORT_LABELS[sort]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Category">
        <Select name="category" defaultValue={search.category ?? ''} onChange={apply}>
          <option value="">All categories</option>
          {CATEGORIES.map(category => (
            <option key={category}>{category}</option>
          ))}
        </Select>
      </Field>
      <Field label="Condition">
        <Select name="condition" defaultValue={search.condition ?? ''} onChange={apply}>
          <option value="">Any condition</option>
          {CONDITIONS.map(condition => (
            <option key={condition}>{condition}</option>
          ))}
        </Select>
      </Field>
    </>
  )
}

function PriceFields({ search, apply }: GroupProps) {
  const limits = {
    pattern: PRICE_PATTERN,
    title: 'An amount in dollars, for example 1240.50',
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
      // Going from one price to the other is one edit: both are applied when the second one is left.
      if (!currentTarget.closest('fieldset')?.contains(relatedTarget)) apply()
    },
  }
  return (
    <Fieldset legend="Price">
      <div className="grid grid-cols-2 gap-3">
        <Field label="From">
          <AmountInput symbol="$" name="minPrice" defaultValue={search.minPrice} {...limits} />
        </Field>
        <Field label="To">
          <AmountInput symbol="$" name="maxPrice" defaultValue={search.maxPrice} {...limits} />
        </Field>
      </div>
    </Fieldset>
  )
}
