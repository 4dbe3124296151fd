import type { Transaction } from '@holdfast/contracts/transactions'
import { displayAmount, isZero } from '@holdfast/kernel/money'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { PageHeader } from '../../components/page-header.js'
import { paths } from '../../lib/paths.js'
import { toast } from '../../lib/toast.js'
import { titleOf } from '../deal/shared/deal.js'
import { MoneyLine } from '../deal/shared/money-line/money-line.js'
import { endAttempt } from './attempt-key.js'
import { isAwaited, stopAwaiting } from './awaited-payment.js'

const BankReturns = lazy(() => import('./bank-returns.js'))
const SecuredCrypto = lazy(() => import('./secured-crypto.js'))

/** Shown in place of the form when nothing is to be paid. It says why, and links to the next step. */
export function NotPayable({ deal }: { deal: Transaction }) {
  const { id, status, viewerRole } = deal
  // Read once: the effect below stops the waiting.
  const [wasAwaited] = useState(() => isAwaited(id) && status !== 'cancelled')
  useFinishedPayment(deal)
  return (
    <div className="page">
      <PageHeader
        title={titleOf(deal)}
        back={{ to: paths.transaction(id), label: 'Back to Transaction' }}
        lead={
          viewerRole !== 'buyer'
            ? SELLER_WORDS
            : status === 'secured'
              ? SECURED_WORDS
              : wasAwaited
                ? ARRIVED_WORDS
                : isZero(deal.money.held)
                  ? NOTHING_TO_PAY
                  : `This transaction is paid, and ${displayAmount(deal.money.held, deal.currency)} is held.`
        }
      />
      {status === 'secured' && viewerRole === 'buyer' && (
        <Suspense>
          <SecuredCrypto deal={deal} />
        </Suspense>
      )}
      <MoneyLine deal={deal} />
      {viewerRole === 'buyer' && (
        <Suspense>
          <div className="mt-6 empty:hidden">
            <BankReturns transactionId={id} />
          </div>
        </Suspense>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={paths.transaction(id)}>View Transaction</ButtonLink>
        <ButtonLink to={paths.dashboard} kind="quiet">
          Back to Dashboard
        </ButtonLink>
      </div>
    </div>
  )
}

const ARRIVED_WORDS = 'Your payment has arrived.'
const SECURED_WORDS =
  'Your transfer was seen and is waiting to be confirmed. You have nothing to do. If it is taken back, you can pay again here.'
const NOTHING_TO_PAY = 'There is nothing to pay here any more.'
const SELLER_WORDS = 'The buyer pays for this transaction; nothing is charged to you here.'

/** The payment this browser waited for has arrived: says so once, and goes to the deal. */
function useFinishedPayment({ id, status }: Transaction) {
  const navigate = useNavigate()
  useEffect(() => {
    // Cryptocurrency that was seen and not confirmed may still be dropped by its network: the page goes on waiting.
    if (status === 'secured' || !isAwaited(id)) return
    stopAwaiting(id)
    endAttempt(id, 'card')
    if (status === 'cancelled') return
    toast('Payment Successful', 'Funds have been sent successfully!')
    navigate(paths.transaction(id), { replace: true })
  }, [id, status, navigate])
}
