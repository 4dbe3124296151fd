import type { CryptoPayment } from '@holdfast/contracts/payments'
import { displayAmount } from '@holdfast/kernel/money'
import { Notice } from '../../components/notice.js'

/** The outcome of the latest payment, when it can no longer be paid, and where its money is; null at every other stage. */
export function CryptoOutcome({ payment }: { payment: CryptoPayment }) {
  const { stage, assetAmount, assetCurrency, received, walletAddress } = payment
  const [asked, sent] = [displayAmount(assetAmount, assetCurrency), displayAmount(received, assetCurrency)]
  switch (stage) {
    case 'expired':
      return (
        <Notice title="This amount has expired">
          {asked} was not seen in time. Do not send it now: ask for a new amount first. If you have sent it already, it
          goes back to your wallet {walletAddress}, less the network’s fee.
        </Notice>
      )
    case 'underpaid':
      return (
        <Notice tone="trouble" title={`${sent} was too little`}>
          {asked} was needed. All of it goes back to your wallet {walletAddress}, less the network’s fee. Nothing is
          held for this transaction. You can pay again.
        </Notice>
      )
    case 'late':
      return (
        <Notice tone="trouble" title={`${sent} came too late`}>
          The amount had expired when it arrived. All of it goes back to your wallet {walletAddress}, less the network’s
          fee. Nothing is held for this transaction. You can pay again.
        </Notice>
      )
    default:
      return null
  }
}
