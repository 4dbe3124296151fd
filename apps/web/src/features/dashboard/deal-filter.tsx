import { DEAL_STATUSES, type DealStatus } from '@holdfast/kernel/deals'
import { MAX_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { humanCase } from '../../components/badge.js'
import { Field } from '../../components/field.js'
import { SearchInput } from '../../components/input.js'
import { Select } from '../../components/select.js'
import { useDebounced } from '../../lib/use-debounced.js'
import { PAST_STATUSES, RUNNING_STATUSES } from '../deal/shared/deal-pages.js'

/** The list is asked for again when nothing was typed for so long. */
const SEARCH_AFTER_MS = 250

/** A deal has these statuses only within a step, so no list can show them. */
const PASSING: readonly DealStatus[] = ['delivered', 'released']

/** What can be chosen, as the address has it, and the statuses that it stands for. */
const CHOICES: ReadonlyMap<string, { readonly label: string; readonly statuses: readonly DealStatus[] }> = new Map([
  ['active', { label: 'All active', statuses: RUNNING_STATUSES }],
  ['previous', { label: 'All previous', statuses: PAST_STATUSES }],
  ...DEAL_STATUSES.filter(status => !PASSING.includes(status)).map(
    status => [status, { label: humanCase(status), statuses: [status] }] as const,
  ),
])

export interface DealFilterState {
  readonly typed: string
  readonly setTyped: (typed: string) => void
  readonly choice: string
  readonly setChoice: (choice: string) => void
  /** What the list asks for; null while nothing narrows it. */
  readonly query: { readonly q?: string; readonly status?: readonly DealStatus[] } | null
  readonly clear: () => void
}

/** What the viewer searches for and which statuses they chose. The address has both, so that Back from a deal leads to the same list. */
export function useDealFilter(): DealFilterState {
  const [params, setParams] = useSearchParams()
  const [typed, setTyped] = useState(params.get('q') ?? '')
  const q = useDebounced(typed.trim(), SEARCH_AFTER_MS)
  const choice = params.get('status') ?? ''
  const statuses = CHOICES.get(choice)?.statuses
  const write = (name: 'q' | 'status', value: string) => {
    const next = new URLSearchParams(params)
    // In one order, so that the same list has the same address.
    for (const each of ['q', 'status']) {
      const wanted = each === name ? value : (params.get(each) ?? '')
      next.delete(each)
      if (wanted !== '') next.set(each, wanted)
    }
    setParams(next, { replace: true, preventScrollReset: true })
  }
  // Without dependencies: the address may have been written by another part of the page meanwhile, such as the tabs.
  useEffect(() => {
    if (q !== (params.get('q') ?? '')) write('q', q)
  })
  return {
    typed,
    setTyped,
    choice: statuses ? choice : '',
    setChoice: next => write('status', next),
    query: q === '' && !statuses ? null : { ...(q === '' ? {} : { q }), ...(statuses ? { status: statuses } : {}) },
    clear: () => {
      setTyped('')
      write('status', '')
    },
  }
}

/** The search box and the choice of statuses above a list of deals. */
export function DealFilter({ filter }: { filter: DealFilterState }) {
  return (
    <search className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <Field label="Search transactions" hideLabel>
        <SearchInput
          icon={<Search className="size-4" />}
          placeholder="Item, person, transaction or tracking number"
          value={filter.typed}
          maxLength={MAX_SEARCH_LENGTH}
          onChange={event => filter.setTyped(event.target.value)}
        />
      </Field>
      <Field label="Status" hideLabel>
        <Select value={filter.choice} onChange={event => filter.setChoice(event.target.value)}>
          <option value="">Every status</option>
          {[...CHOICES].map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </search>
  )
}
