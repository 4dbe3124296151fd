import type { CryptoReturn, CryptoPayment as Payment } from '@holdfast/contracts/payments'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useState } from 'react'
import { CryptoDetails } from './crypto-details.js'
import { CryptoForm } from './crypto-form.js'
import { CryptoOutcome } from './crypto-outcome.js'
import { CryptoReturns } from './shared/crypto-returns.js'

interface CryptoPaymentProps {
  deal: Transaction
  /** The latest payment in cryptocurrency; null when there is none. */
  payment: Payment | null
  returns: readonly CryptoReturn[] | undefined
}

/** Paying in cryptocurrency: the buyer chooses an asset, gets an address and an amount, and sees what has come. */
export default function CryptoPayment({ deal, payment, returns }: CryptoPaymentProps) {
  const [replaced, setReplaced] = useState<string | null>(null)
  const isOpen = payment?.stage === 'waiting' || payment?.stage === 'short' || payment?.stage === 'seen'
  // Whether the buyer has asked for the form. It stays until the server has answered with another address.
  const isReplaced = payment !== null && replaced === payment.depositAddress
  return (
    <div className="grid gap-5 [overflow-wrap:anywhere]">
      {payment && isOpen && !isReplaced ? (
        <CryptoDetails deal={deal} payment={payment} onChange={() => setReplaced(payment.depositAddress)} />
      ) : (
        <>
          {payment && <CryptoOutcome payment={payment} />}
          <CryptoForm deal={deal} last={payment} />
        </>
      )}
      <CryptoReturns returns={returns} />
    </div>
  )
}
