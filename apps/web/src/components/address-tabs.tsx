import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Tabs } from './tabs.js'

interface AddressTabsProps {
  /** What the tabs choose between, for screen readers. */
  label: string
  /** The first one shows where the address names none. */
  tabs: readonly [AddressTab, ...AddressTab[]]
}

interface AddressTab {
  readonly value: string
  readonly label: ReactNode
  readonly content: ReactNode
}

/** Tabs that the address names (`?tab=guides`), so that a link leads to one. Choosing one adds no step to Back. */
export function AddressTabs({ label, tabs }: AddressTabsProps) {
  const [tab, setTab] = useAddressTab(tabs.map(({ value }) => value))
  return <Tabs label={label} tabs={tabs} value={tab} onChange={setTab} />
}

/** The tab that the address names among these, or the first; and the way to another. */
export function useAddressTab<Value extends string>(values: readonly Value[]) {
  const [params, setParams] = useSearchParams()
  const first = values[0] as Value
  const tab = values.find(value => value === params.get('tab')) ?? first
  const setTab = (next: Value) => {
    const after = new URLSearchParams(params)
    if (next === first) after.delete('tab')
    else after.set('tab', next)
    setParams(after, { replace: true, preventScrollReset: true })
  }
  return [tab, setTab] as const
}
