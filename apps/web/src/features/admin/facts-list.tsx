interface FactsListProps {
  title: string
  facts: Readonly<Record<string, unknown>> | null
}

/** Facts that the server kept, as names and values. */
export function FactsList({ title, facts }: FactsListProps) {
  return (
    <div className="min-w-0">
      <h3 className="text-xs font-semibold text-ink-soft">{title}</h3>
      {facts === null ? (
        <p className="text-sm text-ink-soft">Nothing</p>
      ) : (
        <dl className="text-sm">
          {Object.entries(facts).map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="figures min-w-0 [overflow-wrap:anywhere]">{wordsOf(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
