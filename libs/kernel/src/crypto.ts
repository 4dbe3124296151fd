/** Paying in cryptocurrency: the assets (spec section 2, payment page), and what a payment can come to. */
import type { Currency } from './money.js'

/** The assets that a buyer can pay with: the spec's names, the currency code of each, and the label on the payment page. */
export const CRYPTO_ASSETS = {
  bitcoin: { currency: 'BTC', label: 'Bitcoin (BTC)', network: 'Bitcoin' },
  ethereum: { currency: 'ETH', label: 'Ethereum (ETH)', network: 'Ethereum' },
  usdc: { currency: 'USDC', label: 'USD Coin (USDC)', network: 'Ethereum' },
  usdt: { currency: 'USDT', label: 'Tether (USDT)', network: 'Ethereum' },
} as const satisfies Record<
  string,
  { readonly currency: Currency; readonly label: string; readonly network: 'Bitcoin' | 'Ethereum' }
>
export type CryptoAsset = keyof typeof CRYPTO_ASSETS
export const CRYPTO_ASSET_NAMES = Object.keys(CRYPTO_ASSETS) as [CryptoAsset, ...CryptoAsset[]]

/** How long the processor guarantees the amount of a quote, in minutes. */
export const CRYPTO_QUOTE_MINUTES = 15

/**
 * Where a payment in cryptocurrency stands.
 * - `waiting`: nothing has come, and the quote holds.
 * - `seen`: the full amount was sent in time, and its network has not confirmed it.
 * - `short`: less than the amount was sent in time, and its network has not confirmed it. All of it goes back.
 * - `confirmed`: the processor has credited the payment.
 * - `expired`: nothing came while the quote held.
 * - `underpaid`: less than the amount came. All of it goes back.
 * - `late`: money came after the quote had expired. All of it goes back.
 * - `closed`: the buyer has chosen another way to pay or another quote, or the transaction was cancelled.
 */
export const CRYPTO_STAGES = [
  'waiting',
  'seen',
  'short',
  'confirmed',
  'expired',
  'underpaid',
  'late',
  'closed',
] as const
export type CryptoStage = (typeof CRYPTO_STAGES)[number]

/**
 * Why money that was sent goes back to the buyer's wallet: too little, too late, more than the amount, a second time, or for a
 * payment that was closed.
 */
export const CRYPTO_RETURN_CAUSES = ['underpaid', 'late', 'overpaid', 'again', 'closed'] as const
export type CryptoReturnCause = (typeof CRYPTO_RETURN_CAUSES)[number]
