const FIAT = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'JPY'] as const
const CRYPTO = ['Bitcoin', 'Ethereum', 'USDC', 'USDT', 'LTC', 'ADA'] as const

export function Custody() {
  return (
    <section aria-labelledby="custody" className="page mt-20 grid gap-10 sm:mt-28 lg:grid-cols-2 lg:gap-20">
      <div>
        <h2 id="custody" className="display text-2xl sm:text-3xl">
          Many currencies, one custodian
        </h2>
        <p className="mt-4 max-w-prose text-ink-soft">
          All currencies are held by a single federally chartered custodian. Whatever a deal is paid in, there is one
          place where its money is, one set of books, and one answer to the question who holds it.
        </p>
        <p className="mt-3 max-w-prose text-ink-soft">Real-time exchange rates apply to cross-currency deals.</p>
      </div>
      <dl className="divide-y divide-rule self-start border-y border-rule">
        <Row title="Fiat" items={FIAT} rest="and 50+ others" />
        <Row title="Crypto" items={CRYPTO} rest="and more" />
        <div className="grid gap-2 py-5 sm:grid-cols-[6rem_1fr]">
          <dt className="font-semibold">Held by</dt>
          <dd className="text-ink-soft">
            one federally chartered custodian, in one account structure for every currency
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Row({ title, items, rest }: { title: string; items: readonly string[]; rest: string }) {
  return (
    <div className="grid gap-2 py-5 sm:grid-cols-[6rem_1fr]">
      <dt className="font-semibold">{title}</dt>
      <dd className="text-ink-soft">
        <span className="font-medium text-ink">{items.join(', ')}</span> {rest}
      </dd>
    </div>
  )
}
