import type { CryptoPayment } from '@holdfast/contracts/payments'
import type { Transaction } from '@holdfast/contracts/transactions'
import { CRYPTO_ASSETS } from '@holdfast/kernel/crypto'
import { displayAmount } from '@holdfast/kernel/money'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../../components/button.js'
import { CopyButton } from '../../components/copy-button.js'
import { Notice } from '../../components/notice.js'
import { formatDeadline } from '../../lib/time.js'
import { useArrivingMoney } from './use-arriving-money.js'

const QrCode = lazy(() => import('../../components/qr-code.js'))

interface CryptoDetailsProps {
  deal: Transaction
  payment: CryptoPayment
  /** The buyer wants another asset, wallet or amount. */
  onChange: () => void
}

/** Where the buyer sends which amount, until when, and what has come. */
export function CryptoDetails({ deal, payment, onChange }: CryptoDetailsProps) {
  useArrivingMoney(deal.id)
  const { stage } = payment
  return (
    <>
      <div role="status">
        <Stage payment={payment} />
      </div>
      {stage === 'waiting' && <Address payment={payment} />}
      <div className="grid gap-2 text-ink-soft text-sm">
        {deal.clock && (
          <p>
            The transaction must be paid by {formatDeadline(new Date(deal.clock.dueAt), new Date())}. Otherwise it is
            cancelled.
          </p>
        )}
        <p>You can leave this page. We notify you when the money was seen.</p>
      </div>
      {stage === 'waiting' && (
        <div>
          <Button kind="quiet" size="sm" onClick={onChange}>
            Use Another Cryptocurrency or Wallet
          </Button>
        </div>
      )}
    </>
  )
}

function Stage({ payment }: { payment: CryptoPayment }) {
  const { stage, received, assetCurrency, walletAddress } = payment
  if (stage === 'short')
    return (
      <Notice tone="needs" title={`${displayAmount(received, assetCurrency)} is too little`}>
        It does not pay for this transaction, and a second transfer to the same address is not added to it. When the
        network has confirmed it, all of it goes back to your wallet {walletAddress}. You can then pay again.
      </Notice>
    )
  if (stage === 'seen') return <Seen payment={payment} />
  return (
    <p className="font-semibold">
      Waiting for your payment. <Countdown expiresAt={payment.expiresAt} />
    </p>
  )
}

/** The full amount was sent; its network has not confirmed it. */
export function Seen({ payment: { asset, received, assetCurrency } }: { payment: CryptoPayment }) {
  return (
    <Notice
      tone="held"
      title={`${displayAmount(received, assetCurrency)} was seen in the ${CRYPTO_ASSETS[asset].network} network`}
    >
      It is waiting for the network’s confirmations. You have nothing to do. Once it is confirmed, the money is held for
      this transaction. If the network drops the transfer, the money is in your wallet again, and you can pay again
      here.
    </Notice>
  )
}

function Address({ payment }: { payment: CryptoPayment }) {
  const { asset, assetAmount, assetCurrency, depositAddress, paymentUri, walletAddress, total, currency } = payment
  const { network } = CRYPTO_ASSETS[asset]
  return (
    <>
      <div className="grid gap-5">
        <div className="size-40">
          <Suspense fallback={<div className="size-40 rounded-lg bg-sunken" />}>
            <QrCode
              text={paymentUri}
              label={`A code for your wallet: ${assetAmount} ${assetCurrency} to ${depositAddress}`}
            />
          </Suspense>
        </div>
        <dl className="grid min-w-0 gap-3">
          <Copied label="Amount" text={assetAmount} shown={displayAmount(assetAmount, assetCurrency)} />
          <Copied label="Address" text={depositAddress} shown={depositAddress} />
          <div>
            <dt className="text-ink-soft text-sm">Network</dt>
            <dd className="font-semibold">{network}</dd>
          </div>
        </dl>
      </div>
      <p className="text-ink-soft text-sm">
        Send exactly this amount in one transfer, in the {network} network; your wallet adds the network’s fee. It pays{' '}
        {displayAmount(total, currency)}. What is too little, too much or too late goes back to your wallet{' '}
        {walletAddress}, less the network’s fee.
      </p>
    </>
  )
}

function Copied({ label, text, shown }: { label: string; text: string; shown: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-4">
      <dt className="text-ink-soft text-sm">{label}</dt>
      <dd className="figures min-w-0 font-semibold">{shown}</dd>
      <dd className="col-start-2 row-span-2 row-start-1">
        <CopyButton label={label} text={text} />
      </dd>
    </div>
  )
}

const TICK_MS = 1_000

/** How long the amount still holds. It is read once a minute by screen readers, so the seconds are hidden from them. */
function Countdown({ expiresAt }: { expiresAt: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((new Date(expiresAt).getTime() - now) / 1_000))
  const minutes = Math.floor(seconds / 60)
  return (
    <>
      <span aria-hidden="true" className="figures whitespace-nowrap">
        {minutes}:{String(seconds % 60).padStart(2, '0')} left
      </span>
      <span className="sr-only">
        {minutes > 0 ? `The amount holds for ${minutes} more minutes` : 'Less than a minute left'}
      </span>
    </>
  )
}
