import { isZero } from '@holdfast/kernel/money'
import { ButtonLink } from '../../../components/button.js'
import { Facts } from '../../../components/facts.js'
import { Money } from '../../../components/money.js'
import { fullName } from '../../../lib/current-user.js'
import { paths } from '../../../lib/paths.js'
import { backWithBuyer } from '../../deal/shared/money.js'
import type { CaseProps } from './case.js'
import { nameOf } from './people.js'

/** The facts of the deal that the dispute is about. */
export default function About({ dispute }: CaseProps) {
  const { transactionId, amount, currency, settlement, status, buyer, seller, viewerRole } = dispute
  const back = settlement && backWithBuyer(settlement, currency)
  return (
    <aside aria-label="About the transaction">
      <h2 className="mb-3 font-semibold">Transaction #{transactionId}</h2>
      <Facts
        facts={[
          { label: 'Price', value: amount === null ? 'Not known' : <Money amount={amount} currency={currency} /> },
          ...(status === 'closed'
            ? []
            : [
                {
                  label: 'Held now',
                  value: settlement ? <Money amount={settlement.held} currency={currency} /> : 'Not known right now',
                },
              ]),
          ...(back && !isZero(back)
            ? [{ label: `Back with ${nameOf('buyer', dispute)}`, value: <Money amount={back} currency={currency} /> }]
            : []),
          { label: 'Buyer', value: viewerRole === 'buyer' ? 'You' : fullName(buyer) },
          { label: 'Seller', value: viewerRole === 'seller' ? 'You' : fullName(seller) },
        ]}
      />
      {viewerRole !== 'mediator' && (
        <div className="mt-4 grid gap-2">
          <ButtonLink to={paths.transaction(transactionId)} kind="quiet" size="sm" className="justify-self-start">
            View Transaction
          </ButtonLink>
          <p className="text-sm text-ink-soft">
            Its terms and your chat are part of this case. Mediators can read both.
          </p>
        </div>
      )}
    </aside>
  )
}
