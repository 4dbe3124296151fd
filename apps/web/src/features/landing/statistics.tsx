/** Static marketing text (spec section 2); nothing measures them. */
const FIGURES = [
  { label: 'Active Users', figure: '50,000+' },
  { label: 'Transactions Protected', figure: '1M+' },
  { label: 'Success Rate', figure: '99.8%' },
  { label: 'Countries Served', figure: '120+' },
] as const

export function Statistics() {
  return (
    <section aria-label="Holdfast in figures" className="page mt-20 sm:mt-28">
      <dl className="grid grid-cols-2 border-y border-rule lg:grid-cols-4 lg:divide-x lg:divide-rule">
        {FIGURES.map(({ label, figure }) => (
          <div key={label} className="flex flex-col-reverse justify-end px-1 py-6 lg:px-8 lg:first:pl-1">
            <dt className="mt-1 text-sm text-ink-soft">{label}</dt>
            <dd className="display figures text-2xl sm:text-3xl">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
