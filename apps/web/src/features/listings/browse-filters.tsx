import { routes } from 'virtual:routes'
import { CATEGORIES, CONDITIONS, LISTING_SORTS } from '@holdfast/kernel/listings'
import { MAX_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { ChevronDown, Search } from 'lucide-react'
import { type FocusEvent, useEffect, useRef } from 'react'
import { AmountField } from '../../components/amount-field.js'
import { Button } from '../../components/button.js'
import { Field, Fieldset } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { SearchInput } from '../../components/input.js'
import { Select } from '../../components/select.js'
import { type FieldProps, type Form as FormState, useForm } from '../../lib/form/use-form.js'
import { useCall } from '../../lib/use-call.js'
import { useWide } from '../../lib/use-wide.js'
import {
  countFilters,
  type FilterValues,
  filterValuesOf,
  type ListingSearch,
  SORT_LABELS,
  searchOf,
  validateFilters,
  writeSearch,
} from './listing-search.js'

interface BrowseFiltersProps {
  search: ListingSearch
  onChange: (search: ListingSearch) => void
}

/** Search words, filters and order. Choices apply at once, prices when both are left, and all when Enter is pressed. */
export default function BrowseFilters({ search, onChange }: BrowseFiltersProps) {
  const form = useForm<FilterValues>({ initial: filterValuesOf(search), validate: validateFilters })
  const details = useRef<HTMLDetailsElement>(null)
  const wide = useWide()
  useShownSearch(search, form)
  const filters = countFilters(search)
  const send = async (values: FilterValues) => onChange(searchOf(values))
  /** Shows the prices when one of them is wrong: on a narrow screen they may be folded away. */
  const openDetails = () => details.current?.setAttribute('open', '')
  const apply = () => void form.submit(send, openDetails)
  return (
    <search>
      <Matches search={search} />
      <Form form={form} onSubmit={send} onRefused={openDetails} className="grid content-start gap-5">
        <Field label="Search items" hideLabel {...form.field('q')}>
          <SearchInput icon={<Search className="size-4" />} placeholder="Search items" maxLength={MAX_SEARCH_LENGTH} />
        </Field>
        <details ref={details} open={wide || undefined} className="group">
          <summary className="flex min-h-11 list-none items-center justify-between rounded-md border border-edge px-3 font-semibold lg:hidden">
            {filters > 0 ? `Filters and order (${filters})` : 'Filters and order'}
            <ChevronDown aria-hidden="true" className="size-4 group-open:rotate-180" />
          </summary>
          <div className="grid gap-5 pt-5 lg:pt-0">
            <ChoiceFields search={search} choice={name => applyingAtOnce(form.field(name), apply)} />
            <PriceFields
              form={form}
              onLeave={() => {
                // A wrong price is shown when the form is sent: an error now would take the focus back.
                if (Object.values(validateFilters(form.values)).every(fault => fault === undefined)) apply()
              }}
            />
            <Button type="submit" kind="quiet">
              Apply
            </Button>
          </div>
        </details>
      </Form>
    </search>
  )
}

/** Fills the form with a search that came from elsewhere: Back, a link, or 'Clear'. What is being typed stays. */
function useShownSearch(search: ListingSearch, form: FormState<FilterValues>) {
  const address = writeSearch(search).toString()
  const shown = useRef(address)
  // Without dependencies: the address says whether the search is another one, and the form is a new object every time.
  useEffect(() => {
    if (shown.current === address) return
    shown.current = address
    const typing =
      form.element.current?.contains(document.activeElement) && document.activeElement?.getAttribute('name')
    for (const [name, value] of Object.entries(filterValuesOf(search)) as [keyof FilterValues, string][]) {
      if (name !== typing) form.set(name, value)
    }
  })
}

/** A field whose every change applies the filters. */
const applyingAtOnce = ({ control, error }: FieldProps, apply: () => void): FieldProps => ({
  error,
  control: {
    ...control,
    onChange: async event => {
      await control.onChange(event)
      apply()
    },
  },
})

interface ChoiceFieldsProps {
  search: ListingSearch
  choice: (name: 'sort' | 'category' | 'condition') => FieldProps
}

function ChoiceFields({ search, choice }: ChoiceFieldsProps) {
  const counts = useCounts(search)
  return (
    <>
      <Field label="Sort by" {...choice('sort')}>
        <Select>
          {LISTING_SORTS.map(sort => (
            <option key={sort} value={sort}>
              {SORT_LABELS[sort]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Category" {...choice('category')}>
        <Select>
          <option value="">{withSum('All categories', counts?.category)}</option>
          {CATEGORIES.map(category => (
            <option key={category} value={category}>
              {withCount(category, counts?.category)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Condition" {...choice('condition')}>
        <Select>
          <option value="">{withSum('Any condition', counts?.condition)}</option>
          {CONDITIONS.map(condition => (
            <option key={condition} value={condition}>
              {withCount(condition, counts?.condition)}
            </option>
          ))}
        </Select>
      </Field>
    </>
  )
}

/** The counts of the search before stay until those of this one are there. They are no counts of it when those cannot be loaded. */
function useCounts({ sort: _, ...filters }: ListingSearch) {
  const { data, error } = useCall(routes.countListings, { query: filters }, { keepPreviousData: true })
  return error ? undefined : data
}

/** How many items a search finds, for a screen reader: the list changes somewhere else on the page than where the choice is made. */
function Matches({ search }: { search: ListingSearch }) {
  const total = useCounts(search)?.total
  const isNarrowed = search.q !== undefined || countFilters(search) > 0
  return (
    <p role="status" className="sr-only">
      {isNarrowed && total !== undefined && (total === 1 ? '1 item matches' : `${total} items match`)}
    </p>
  )
}

type Counts = readonly { readonly value: string; readonly count: number }[] | undefined

/** The choice of them all, with the number of items. */
const withSum = (choice: string, counts: Counts) =>
  counts ? `${choice} (${counts.reduce((sum, { count }) => sum + count, 0)})` : choice

/** A choice with the number of items that it leads to. The server leaves out what leads to none. */
const withCount = (choice: string, counts: Counts) =>
  counts ? `${choice} (${counts.find(({ value }) => value === choice)?.count ?? 0})` : choice

interface PriceFieldsProps {
  form: FormState<FilterValues>
  /** Runs when the focus leaves both prices. */
  onLeave: () => void
}

function PriceFields({ form, onLeave }: PriceFieldsProps) {
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
    // Going from one price to the other is one edit: both are applied when the second one is left.
    if (!currentTarget.closest('fieldset')?.contains(relatedTarget)) onLeave()
  }
  return (
    <Fieldset legend="Price">
      <div className="grid grid-cols-2 items-start gap-3">
        <AmountField label="From" {...form.field('minPrice')} typed={form.values.minPrice} onLeave={onBlur} />
        <AmountField label="To" {...form.field('maxPrice')} typed={form.values.maxPrice} onLeave={onBlur} />
      </div>
    </Fieldset>
  )
}
