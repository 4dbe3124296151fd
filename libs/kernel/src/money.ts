/**
 * Money as integers of a currency's smallest unit, never as a float: in floats, `0.1 + 0.2` is not `0.3`. In requests and
 * answers money is a decimal string (`"1234.50"`); in the code it is `bigint` minor units.
 */
import { DomainError } from './errors.js'

/** Decimal places of each currency we know (ISO 4217; for crypto assets the protocol's own smallest unit). */
export const CURRENCY_EXPONENT = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  CAD: 2,
  AUD: 2,
  JPY: 0,
  BTC: 8,
  ETH: 18,
  USDC: 6,
  USDT: 6,
} as const

export type Currency = keyof typeof CURRENCY_EXPONENT

/** Whether a code names a currency that the product knows. */
export const isCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCY_EXPONENT, code)

/** The currency of every deal for now. Others are refused, because the fee schedule does not have them. */
export const DEAL_CURRENCY: Currency = 'USD'

/** The highest price, in minor units. With the buyer's fees it stays below the limit of a card payment (999,999.99). */
export const MAX_PRICE_MINOR = 980_000_00n

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,18}))?$/

/**
 * Reads a decimal amount in a currency into minor units. This is the form of the API. What a person types is read by `readTypedAmount`.
 *
 * @param amount `"1234.5"`, or a number as JSON carries it; a number is read by its shortest decimal form
 * @param field what the refusal names as wrong, when a person or a client has sent the amount
 * @throws DomainError `AMOUNT_INVALID` when it is not a plain decimal, is negative, or has more decimal places than the currency
 */
export function parseAmount(amount: string | number, currency: Currency, field?: string): bigint {
  const minor = findAmount(amount, currency)
  if (minor !== null) return minor
  const details = field === undefined ? { amount: String(amount), currency } : { fields: { [field]: formOf(currency) } }
  throw new DomainError('AMOUNT_INVALID', details)
}

const formOf = (currency: Currency): string =>
  CURRENCY_EXPONENT[currency] === 0
    ? `Must be an amount in ${currency}, without decimals`
    : `Must be an amount in ${currency}, with ${CURRENCY_EXPONENT[currency]} decimals at most`

/**
 * The same; null for what `parseAmount` refuses. Zeros count as decimals: in many countries "1.000" is written for one thousand, so
 * it is not read as one dollar.
 */
export function findAmount(amount: string | number, currency: Currency): bigint | null {
  const exponent = CURRENCY_EXPONENT[currency]
  const match = DECIMAL.exec(String(amount))
  if (!match) return null
  const [, whole = '0', fraction = ''] = match
  if (fraction.length > exponent) return null
  return BigInt(whole + fraction.padEnd(exponent, '0'))
}

/** Writes minor units as a decimal string with all of the currency's decimal places: `123450n` USD is `"1234.50"`. */
export function formatAmount(amountMinor: bigint, currency: Currency): string {
  const exponent = CURRENCY_EXPONENT[currency]
  const sign = amountMinor < 0n ? '-' : ''
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(exponent + 1, '0')
  return exponent === 0
    ? `${sign}${digits}`
    : `${sign}${digits.slice(0, -exponent)}.${digits.slice(digits.length - exponent)}`
}

/** Whether an amount in an answer is zero: "0", "0.00". */
export const isZero = (amount: string): boolean => /^0*(\.0*)?$/.test(amount)

/**
 * Formats a decimal string as the screens show it: two decimals and en-US grouping, € and £ before euros and pounds, `$`
 * before every other currency, and the currency code after a crypto asset, whose decimals are never cut.
 */
export function displayAmount(amount: string | number, currency: string): string {
  const [sign, whole, fraction] = parts(amount)
  if (currency === 'BTC' || currency === 'ETH' || currency === 'USDC' || currency === 'USDT')
    return `${sign}${whole}${fraction ? `.${fraction}` : ''} ${currency}`
  return `${sign}${symbolOf(currency)}${whole}.${twoPlaces(fraction)}`
}

/** What the screens write before an amount that is no crypto asset. */
export const symbolOf = (currency: string): string => (currency === 'EUR' ? '€' : currency === 'GBP' ? '£' : '$')

/** Formats minor units of a currency as `displayAmount` does. */
export const displayMinor = (minor: bigint, currency: Currency): string =>
  displayAmount(formatAmount(minor, currency), currency)

/** The same without a symbol, to be shown beside the currency's code: `"1240.5"` is `1,240.50`. */
export function groupedAmount(amount: string | number): string {
  const [sign, whole, fraction] = parts(amount)
  return `${sign}${whole}.${twoPlaces(fraction)}`
}

function parts(amount: string | number): [sign: '' | '-', whole: string, fraction: string] {
  const [whole = '0', fraction = ''] = String(amount).split('.')
  const grouped = whole.replace('-', '').replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return [whole.startsWith('-') ? '-' : '', grouped, fraction]
}

const twoPlaces = (fraction: string): string => fraction.slice(0, 2).padEnd(2, '0')

/** An amount in minor units; 0 in place of a negative one. */
export const atLeastZero = (minor: bigint): bigint => (minor > 0n ? minor : 0n)

/** A share in basis points (1 bp = 0.01 %), rounded half up to the minor unit. Fees are rounded only here. */
export function shareOf(amountMinor: bigint, basisPoints: number): bigint {
  return (amountMinor * BigInt(basisPoints) * 2n + 10_000n) / 20_000n
}
