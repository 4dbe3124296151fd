import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useCall } from '../../lib/use-call.js'
import { Seen } from './crypto-details.js'
import { CryptoReturns } from './shared/crypto-returns.js'
import { useArrivingMoney } from './use-arriving-money.js'

/** On the page of a deal whose cryptocurrency was seen: what is waited for. Nothing for another payment. */
export function SecuredCrypto({ deal: { id } }: { deal: Transaction }) {
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
