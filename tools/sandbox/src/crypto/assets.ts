import { randomBytes } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import type { Asset } from './records.js'

/** What the sandbox knows of each asset. The rate is cents for one whole unit, and never changes. */
export const OF_ASSET: Readonly<
  Record<Asset, { readonly exponent: number; readonly cents: bigint; readonly confirmations: number }>
> = {
  BTC: { exponent: 8, cents: 6_400_000n, confirmations: 2 },
  ETH: { exponent: 18, cents: 320_000n, confirmations: 12 },
  USDC: { exponent: 6, cents: 100n, confirmations: 12 },
  USDT: { exponent: 6, cents: 100n, confirmations: 12 },
}

/** The processor names amounts with at most this many decimals. */
const QUOTED_DECIMALS = 8
const ADDRESS_BYTES = 20

/** What an amount in cents is in an asset, in its smallest unit. It is rounded up once, to the decimals that the processor names. */
export function unitsOf(cents: number, asset: Asset): bigint {
  const { exponent, cents: rate } = OF_ASSET[asset]
  const step = 10n ** BigInt(Math.max(0, exponent - QUOTED_DECIMALS))
  const scaled = BigInt(cents) * 10n ** BigInt(exponent)
  return ((scaled + rate * step - 1n) / (rate * step)) * step
}

/** Units of an asset as a decimal number without zeros at its end: `150000000` units of BTC are `1.5`. */
export function decimalOf(units: string, asset: Asset): string {
  const { exponent } = OF_ASSET[asset]
  const digits = units.padStart(exponent + 1, '0')
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`.replace(/\.?0+$/, '')
}

/** Reads a decimal number into units of an asset; null for what is none, is not above zero, or has too many decimals. */
export function unitsIn(decimal: string, asset: Asset): bigint | null {
  const match = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(decimal.trim())
  const { exponent } = OF_ASSET[asset]
  const [, whole = '', fraction = ''] = match ?? []
  if (!match || fraction.length > exponent) return null
  const units = BigInt(whole + fraction.padEnd(exponent, '0'))
  return units > 0n ? units : null
}

/** A new address in the network of an asset: bech32 (BIP 173) for Bitcoin, with a checksum in its letters (EIP-55) for Ethereum. */
export function newAddress(asset: Asset): string {
  const bytes = new Uint8Array(randomBytes(ADDRESS_BYTES))
  if (asset === 'BTC') return bech32.encode('bc', [0, ...bech32.toWords(bytes)])
  const hex = bytesToHex(bytes)
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)))
  const letters = [...hex].map((letter, at) => (Number.parseInt(hash[at]!, 16) >= 8 ? letter.toUpperCase() : letter))
  return `0x${letters.join('')}`
}

/** What a wallet reads from a QR code (BIP 21, EIP-681). */
export function paymentUri(asset: Asset, address: string, units: string): string {
  if (asset === 'BTC') return `bitcoin:${address}?amount=${decimalOf(units, asset)}`
  if (asset === 'ETH') return `ethereum:${address}?value=${units}`
  return `ethereum:${TOKENS[asset]}/transfer?address=${address}&uint256=${units}`
}

/** The contracts of the two tokens on Ethereum. */
const TOKENS = {
  USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
} as const

/** The id of a transaction in the network of an asset. */
export const newTransactionId = (asset: Asset): string =>
  `${asset === 'BTC' ? '' : '0x'}${randomBytes(32).toString('hex')}`
