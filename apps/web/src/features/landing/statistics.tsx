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
            <dd className="display figures text-2xl sm:text-3xl">{figure ?? <NotMeasured />}</dd>
          </div>
        ))}
      </dl>
      {FIGURES.some(({ figure }) => figure === null) && (
        <p className="mt-3 text-sm text-ink-faint">A figure shows here once it has been measured.</p>
      )}
    </section>
  )
}

function NotMeasured() {
  return (
    <>
      <span aria-hidden="true" className="text-ink-faint">
        –
      </span>
      <span className="sr-only">Not measured yet</span>
    </>
  )
}
