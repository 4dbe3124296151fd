import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { displayAmount, groupedAmount, isZero } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { Lock } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { LoadError } from '../../components/load-error.js'
import { PageHeader } from '../../components/page-header.js'
import { Panel } from '../../components/panel.js'
import { Segmented } from '../../components/segmented.js'
import { paths } from '../../lib/paths.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { MoneyLine } from '../deal/shared/money-line/money-line.js'
import { CardFormSkeleton } from './card-form-skeleton.js'
import { LeaveBank } from './leave-bank.js'
import { LeaveCrypto } from './leave-crypto.js'
import { QuoteSummary, useQuote } from './quote-summary.js'
import { METHODS } from './shared/methods.js'
import { TermFacts } from './term-facts.js'

// The amount and the terms can be read before the form's code is loaded.
const CardPayment = lazy(() => import('./card-payment.js'))
const BankPayment = lazy(() => import('./bank-payment.js'))
const CryptoPayment = lazy(() => import('./crypto-payment.js'))
const BankReturns = lazy(() => import('./bank-returns.js'))

/** What is paid and to whom it goes on the left; how on the right. */
export function PaymentPanel({ deal }: { deal: Transaction }) {
  const { id, listing, amount, currency, money, seller } = deal
  const latest = useCall(routes.getPayment, { params: { id: String(id) } })
  useReadOnReturn()
  const bank = latest.data?.method === 'bank' ? latest.data : null
  const transfer = bank?.status === 'open' ? bank.bankTransfer : null
  // A payment that the provider refused has failed, too, but never had bank details to which money could come.
  const wasReturned = bank?.status === 'failed' && bank.bankTransfer !== null
  const inCrypto = latest.data?.method === 'crypto' ? latest.data : null
  const [chosen, setMethod] = useState<PaymentMethod | null>(null)
  const method =
    chosen ?? (transfer ? 'bank' : inCrypto?.cryptoPayment && inCrypto.status !== 'cancelled' ? 'crypto' : 'card')
  // Whether the buyer leaves the open payment for the method that is shown. It is asked again for every other one.
  const [leaves, setLeaves] = useState(false)
  const choose = (next: PaymentMethod) => {
    setMethod(next)
    setLeaves(false)
  }
  const { data: quote, error: noQuote } = useQuote(id, method)
  const total = quote?.total ?? money.buyerTotal
  // A payment that is open may have a method that is no longer offered. An earlier version of escrow-svc does not say what is.
  const offered = METHODS.filter(({ value }) => value === method || quote?.methods?.includes(value) !== false)
  const [awaiting, setAwaiting] = useState(deal.paymentProcessing)
  return (
    <div className="page">
      <PageHeader
        title={`Pay ${listing.title || 'Item'}`}
        back={{ to: paths.transaction(id), label: 'Back to Transaction' }}
        lead={`Send ${currency} ${groupedAmount(amount)} for Transaction #${id}`}
      />
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[1fr_27rem] lg:gap-x-14">
        <section aria-labelledby="secure-payment">
          <h2 id="secure-payment" className="mb-3 flex items-center gap-2 font-semibold">
            <Lock aria-hidden="true" className="size-4 text-ink-soft" />
            Secure Payment
          </h2>
          {(quote || !noQuote) && (
            <p className="figures mb-5 text-3xl font-semibold">{displayAmount(total, currency)}</p>
          )}
          <QuoteSummary dealId={id} method={method} />
          <h2 className="mt-8 mb-3 font-semibold">What You Agree To</h2>
          <TermFacts listing={listing} />
        </section>
        <Panel className="self-start lg:row-span-2">
          <h2 className="mb-4 font-semibold">Payment Method</h2>
          {!awaiting && offered.length > 1 && (
            <Segmented
              legend="Payment method"
              hideLegend
              options={offered}
              value={method}
              onChange={choose}
              className="mb-6"
            />
          )}
          <div className="grid gap-6">
            {!latest.data ? (
              // Opening another payment would close the one that is open, so it waits for the answer.
              latest.error ? (
                <LoadError
                  title="Paying is not possible right now"
                  error={latest.error}
                  retry={() => void latest.mutate()}
                />
              ) : (
                <CardFormSkeleton />
              )
            ) : method !== 'bank' && transfer && !leaves ? (
              <LeaveBank method={method} hasMoney={!isZero(transfer.received)} onLeave={() => setLeaves(true)} />
            ) : method !== 'crypto' && inCrypto?.status === 'open' && !leaves ? (
              <LeaveCrypto method={method} onLeave={() => setLeaves(true)} />
            ) : (
              <Suspense fallback={<CardFormSkeleton />}>
                {method === 'card' ? (
                  <CardPayment deal={deal} onAwaiting={setAwaiting} />
                ) : method === 'crypto' ? (
                  <CryptoPayment
                    deal={deal}
                    payment={inCrypto?.cryptoPayment ?? null}
                    returns={latest.data.cryptoReturns}
                  />
                ) : (
                  <BankPayment deal={deal} transfer={transfer} wasReturned={wasReturned} />
                )}
              </Suspense>
            )}
            {latest.data && (
              <Suspense>
                <BankReturns transactionId={id} isExpected={leaves} />
              </Suspense>
            )}
          </div>
        </Panel>
        <div>
          <MoneyLine deal={{ ...deal, money: { ...money, buyerTotal: total }, paymentProcessing: awaiting }} />
          <p className="mt-4 max-w-text text-sm text-ink-soft">
            Your money will be held, not handed over. {seller.firstName} is paid {paidWhen(deal)}. If nothing is shipped
            in time, everything comes back to you.
          </p>
        </div>
      </div>
    </div>
  )
}

/** Another tab or device may have paid while this page was not looked at, and its live events may not have come. */
function useReadOnReturn() {
  useEffect(() => {
    const read = () => {
      if (document.visibilityState === 'visible')
        void refresh(routes.getTransaction, routes.getPayment, routes.listPayments)
    }
    const windowEvents = ['focus', 'online', 'pageshow'] as const
    for (const name of windowEvents) window.addEventListener(name, read)
    document.addEventListener('visibilitychange', read)
    return () => {
      for (const name of windowEvents) window.removeEventListener(name, read)
      document.removeEventListener('visibilitychange', read)
    }
  }, [])
}

const paidWhen = ({ completesOnDelivery }: Transaction) =>
  completesOnDelivery
    ? 'when you confirm delivery, since the item is sold as-is'
    : 'when you accept the item, or the inspection ends without a dispute'
