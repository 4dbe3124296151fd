import { routes } from 'virtual:routes'
import { useCall } from '../../../lib/use-call.js'
import { CryptoReturns } from './crypto-returns.js'

/** What goes back to the buyer's wallet from a deal's payments in cryptocurrency. Nothing is shown when nothing goes back. */
export default function CryptoOfDeal({ transactionId }: { transactionId: number }) {
  const { data } = useCall(routes.getPayment, { params: { id: String(transactionId) } })
  return data ? <CryptoReturns returns={data.cryptoReturns} /> : null
}
