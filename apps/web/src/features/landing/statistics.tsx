import { operator } from '../../lib/operator.js'

const { activeUsers, transactionsProtected, successRate, countriesServed } = operator.figures

const FIGURES = [
  { label: 'Active Users', figure: activeUsers },
  { label: 'Transactions Protected', figure: transactionsProtected },
  { label: 'Success Rate', figure: successRate },
  { label: 'Countries Served', figure: countriesServed },
] as const

/** The operator's own figures. One that was never measured says so. */
export function Statistics() {
  return (
    <section aria-label="Holdfast in figures" className="page mt-20 sm:mt-28">
      <dl className="grid grid-cols-2 border-y border-rule lg:grid-cols-4 lg:divide-x lg:divide-rule">
        {FIGURES.map(({ label, figure }) => (
          <div key={label} className="flex flex-col-reverse justify-end px-1 py-6 lg:px-8 lg:first:pl-1">
            <dt className="mt-1 text-sm text-ink-soft">{label}</dt>
            {figure ? (
              <dd className="display figures text-2xl sm:text-3xl">{figure}</dd>
            ) : (
              <dd className="text-ink-faint">Not published yet</dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}
