import type { ReactNode } from 'react'

interface FactsProps {
  facts: readonly { readonly label: string; readonly value: ReactNode }[]
}

/** Names and values in ruled rows, as on a contract. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="divide-y divide-rule border-y border-rule">
      {facts.map(fact => (
        <div key={fact.label} className="flex justify-between gap-6 py-2.5">
          <dt className="shrink-0 text-ink-soft">{fact.label}</dt>
          <dd className="min-w-0 text-right font-medium">{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}
