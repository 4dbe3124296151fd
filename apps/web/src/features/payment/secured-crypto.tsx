import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useCall } from '../../lib/use-call.js'
import { Seen } from './crypto-details.js'
import { CryptoReturns } from './shared/crypto-returns.js'
import { useArrivingMoney } from './use-arriving-money.js'

/** Says on the page of a deal that its cryptocurrency waits for confirmation. Shows nothing for other ways to pay. */
export default function SecuredCrypto({ deal: { id } }: { deal: Transaction }) {
  const { data } = useCall(routes.getPayment, { params: { id: String(id) } })
  useArrivingMoney(id)
  if (!data?.cryptoPayment) return null
  return (
    <div className="mb-6 grid max-w-text gap-5" role="status">
      <Seen payment={data.cryptoPayment} />
      <CryptoReturns returns={data.cryptoReturns} />
    </div>
  )
}
