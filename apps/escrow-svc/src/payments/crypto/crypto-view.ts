import type { CryptoPayment, CryptoReturn } from '@holdfast/contracts/payments'
import { CRYPTO_ASSETS, type CryptoReturnCause, type CryptoStage } from '@holdfast/kernel/crypto'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentEntity } from '../payment.entity.js'
import type { CryptoIntent } from './coinify-objects.js'
import type { CryptoPaymentEntity, Transfer } from './crypto-payment.entity.js'

type Payment = Pick<PaymentEntity, 'status' | 'amountMinor' | 'currency' | 'stray'>

/** A payment in cryptocurrency as its buyer sees it. */
export function cryptoPaymentOf(payment: Payment, crypto: CryptoPaymentEntity, now: Date): CryptoPayment {
  const { currency: assetCurrency } = CRYPTO_ASSETS[crypto.asset]
  return {
    asset: crypto.asset,
    assetCurrency,
    assetAmount: shortAmount(crypto.assetUnits, assetCurrency),
    depositAddress: crypto.depositAddress,
    paymentUri: crypto.paymentUri,
    walletAddress: crypto.walletAddress,
    expiresAt: crypto.expiresAt.toISOString(),
    stage: stageOf(payment, crypto, now),
    received: shortAmount(sumOf(crypto.transfers), assetCurrency),
    total: formatAmount(payment.amountMinor, payment.currency),
    currency: payment.currency,
  }
}

/** The stage of a payment, from our record of it and from the transfers that have come. */
export function stageOf({ status }: Pick<Payment, 'status'>, crypto: CryptoPaymentEntity, now: Date): CryptoStage {
  if (status === 'succeeded') return 'confirmed'
  if (status === 'cancelled') return 'closed'
  const [first] = crypto.transfers
  if (status === 'processing') return 'seen'
  if (first && isLate(first, crypto)) return 'late'
  if (first) return status === 'failed' ? 'underpaid' : isShort(first, crypto) ? 'short' : 'seen'
  return status === 'failed' || crypto.expiresAt <= now ? 'expired' : 'waiting'
}

/** Whether a transfer of the full amount was sent in time and is not returned. Transfers are not added up: the processor accepts one. */
export const hasFullAmount = (assetUnits: bigint, { transfers, expiresAt }: CryptoIntent): boolean =>
  transfers.some(
    transfer => !isLate(transfer, { expiresAt }) && !isShort(transfer, { assetUnits }) && !goesBackWhole(transfer),
  )

/**
 * What goes back to the buyer's wallet from a payment: the transfers that the processor returns by itself, and a stray payment, which a
 * refund of ours returns.
 */
export function returnsOf(
  { stray, updatedAt }: Payment & Pick<PaymentEntity, 'updatedAt'>,
  crypto: CryptoPaymentEntity,
  refund: { readonly isConfirmed: boolean },
): CryptoReturn[] {
  const { currency: assetCurrency } = CRYPTO_ASSETS[crypto.asset]
  const { walletAddress } = crypto
  const back = (units: bigint, cause: CryptoReturnCause, isSent: boolean, at: string): CryptoReturn => ({
    cause,
    assetCurrency,
    assetAmount: shortAmount(units, assetCurrency),
    walletAddress,
    isSent,
    at,
  })
  const byProcessor = crypto.transfers.flatMap((transfer, at) => {
    const { goesBack, receivedAt } = transfer
    if (!goesBack) return []
    return [back(BigInt(goesBack.units), causeOf(crypto, transfer, at), goesBack.isSent, receivedAt)]
  })
  const byUs = stray ? [back(crypto.assetUnits, 'closed', refund.isConfirmed, updatedAt.toISOString())] : []
  return [...byUs, ...byProcessor.reverse()]
}

function causeOf(crypto: CryptoPaymentEntity, transfer: Transfer, at: number): CryptoReturnCause {
  if (!goesBackWhole(transfer)) return 'overpaid'
  if (isLate(transfer, crypto)) return 'late'
  return isShort(transfer, crypto) && at === 0 ? 'underpaid' : 'again'
}

const isLate = ({ receivedAt }: Transfer, { expiresAt }: Pick<CryptoPaymentEntity, 'expiresAt'>) =>
  new Date(receivedAt) > expiresAt
const goesBackWhole = ({ goesBack, units }: Transfer) => goesBack?.units === units
const isShort = ({ units }: Transfer, { assetUnits }: Pick<CryptoPaymentEntity, 'assetUnits'>) =>
  BigInt(units) < assetUnits
const sumOf = (transfers: readonly Transfer[]) => transfers.reduce((sum, { units }) => sum + BigInt(units), 0n)

/** An amount of an asset without trailing zeros: Ether has 18 decimals. */
function shortAmount(units: bigint, currency: Parameters<typeof formatAmount>[1]): string {
  return formatAmount(units, currency).replace(/\.?0+$/, '')
}
