import { HELD_BY } from '../../lib/operator.js'
import { isOffered } from '../payment/shared/methods.js'

const FIAT = ['EUR', 'GBP', 'CAD', 'AUD', 'JPY'] as const
const CRYPTO = ['Bitcoin', 'Ethereum', 'USDC', 'USDT'] as const
const PLANNED_CRYPTO = ['LTC', 'ADA'] as const

export function Custody() {
  return (
    <section aria-labelledby="custody" className="page mt-20 grid gap-10 sm:mt-28 lg:grid-cols-2 lg:gap-20">
      <div>
        <h2 id="custody" className="display text-2xl sm:text-3xl">
          One hold, one set of books
        </h2>
        <p className="mt-4 max-w-text text-ink-soft">
          Every payment is held for its own transaction and written into one double-entry ledger. So there is one answer
          to the question where your money is, and you can read it.
        </p>
        <p className="mt-3 max-w-text text-ink-soft">
          Prices are in US dollars today. Deals in other currencies, at real-time exchange rates, are planned.
        </p>
      </div>
      <dl className="divide-y divide-rule self-start border-y border-rule">
        <Row title="Today" items={['USD']} rest={isOffered('bank') ? 'by card and bank transfer' : 'by card'} />
        {isOffered('crypto') && <Row title="And in" items={CRYPTO} rest="at a price in US dollars" />}
        <Row
          title="Planned"
          items={[...FIAT, ...(isOffered('crypto') ? [] : CRYPTO), ...PLANNED_CRYPTO]}
          rest="and more"
        />
        <div className="grid gap-2 py-5 sm:grid-cols-[6rem_1fr]">
          <dt className="font-semibold">Held by</dt>
          <dd className="text-ink-soft">{HELD_BY}</dd>
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
