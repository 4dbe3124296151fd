import { DEAL_CURRENCY } from '@holdfast/kernel/money'
import { readTypedAmount } from '@holdfast/kernel/typed-amount'
import { AmountField } from '../../components/amount-field.js'
import { Money } from '../../components/money.js'
import { useForm } from '../../lib/form/use-form.js'
import { BREAK_EVEN_SALES, EXAMPLE_SALES, savingsOf } from './savings.js'

/** What the user's own sales would cost on each plan, with three examples. */
export default function Calculator() {
  const form = useForm({ initial: { sales: '8,000' }, validate: () => ({}) })
  const { amount } = readTypedAmount(form.values.sales, DEAL_CURRENCY)
  return (
    <section className="mt-14">
      <h2 className="display text-xl">Savings calculator</h2>
      <p className="mt-1 max-w-text text-ink-soft">
        Billed monthly, Premium pays for itself from ${BREAK_EVEN_SALES.toLocaleString('en-US')} of monthly sales on.
      </p>
      <div className="mt-5 max-w-2xs">
        <AmountField label="Your monthly sales" {...form.field('sales')} typed={form.values.sales} />
      </div>
      <div className="mt-5">
        <table className="w-full text-left text-sm sm:text-base">
          <thead>
            <tr className="border-b border-ink align-bottom text-sm">
              <th scope="col" className="py-2 pr-2 sm:pr-4 font-semibold">
                Monthly sales
              </th>
              <th scope="col" className="py-2 pr-2 sm:pr-4 text-right font-semibold">
                Standard
              </th>
              <th scope="col" className="py-2 pr-2 sm:pr-4 text-right font-semibold">
                Premium
              </th>
              <th scope="col" className="py-2 text-right font-semibold">
                Difference
              </th>
            </tr>
          </thead>
          <tbody aria-live="polite">
            {amount !== undefined && <SavingsRow sales={amount} own />}
            {EXAMPLE_SALES.map(example => (
              <SavingsRow key={example} sales={example} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function SavingsRow({ sales, own }: { sales: string | number; own?: boolean }) {
  const { standardFee, premiumCost, saved, pays } = savingsOf(sales)
  return (
    <tr className={own ? 'border-b border-ink font-semibold' : 'border-b border-rule text-ink-soft'}>
      <th scope="row" className="py-2.5 pr-2 sm:pr-4 font-[inherit]">
        <Money amount={sales} currency="USD" />
        {own && <span className="sr-only"> (yours)</span>}
      </th>
      <td className="py-2.5 pr-2 sm:pr-4 text-right">
        <Money amount={standardFee} currency="USD" />
      </td>
      <td className="py-2.5 pr-2 sm:pr-4 text-right">
        <Money amount={premiumCost} currency="USD" />
      </td>
      <td className="py-2.5 text-right">
        {pays ? 'saves ' : 'costs '}
        <Money amount={saved.replace('-', '')} currency="USD" />
        {pays ? '' : ' more'}
      </td>
    </tr>
  )
}
