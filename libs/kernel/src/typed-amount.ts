/**
 * Amounts as people type them. Countries write the same amount in different ways: "3.000" is three thousand in one and three in
 * another. What can be read in two ways is refused with both readings, and never guessed.
 */
import {
  CURRENCY_EXPONENT,
  type Currency,
  displayAmount,
  findAmount,
  formatAmount,
  groupedAmount,
  symbolOf,
} from './money.js'

/** `amount` as a request carries it ("3000.00"), or a sentence that says how to write it. */
export type TypedAmount =
  | { readonly amount: string; readonly fault?: undefined }
  | { readonly amount?: undefined; readonly fault: string }

/** Digits alone or with a comma before each three, and decimals behind a point. */
const PLAIN = /^(?:\d{1,15}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.\d{1,18})?$/

/**
 * Reads an amount that a person has typed: "3000", "3,000", "3,000.00" and "3000.5", also with spaces around it and with the
 * currency's sign or code. Everything else is refused, such as "3.000", "3.000,00", "3,00", "3 000" and other digits than 0 to 9.
 */
export function readTypedAmount(typed: string, currency: Currency): TypedAmount {
  const text = withoutSign(typed.trim(), currency)
  const minor = isPlain(text, currency) ? findAmount(text.replaceAll(',', ''), currency) : null
  return minor === null ? { fault: faultOf(text, currency) } : { amount: formatAmount(minor, currency) }
}

/**
 * Whether a text is read in one way only. In a currency with three decimals or more, a single mark before three digits can stand before
 * thousands and before decimals.
 */
const isPlain = (text: string, currency: Currency): boolean =>
  PLAIN.test(text) && !(CURRENCY_EXPONENT[currency] >= 3 && /^\d{1,3}[.,]\d{3}$/.test(text))

function withoutSign(text: string, currency: Currency): string {
  const upper = text.toUpperCase()
  for (const sign of [...(currency === 'USD' ? ['US$'] : []), currency, symbolOf(currency)]) {
    if (upper.startsWith(sign)) return text.slice(sign.length).trimStart()
    if (upper.endsWith(sign)) return text.slice(0, -sign.length).trimEnd()
  }
  return text
}

function faultOf(text: string, currency: Currency): string {
  const [one, other] = readingsOf(text, currency).map(minor => formatAmount(minor, currency))
  if (one === undefined) {
    const places = CURRENCY_EXPONENT[currency]
    const example = formatAmount(3_000n * 10n ** BigInt(places), currency)
    const form = `with the digits 0 to 9 and ${places === 0 ? 'no' : `at most ${places}`} decimals`
    return `Write the amount like ${plainly(example, currency)}: ${form}.`
  }
  if (other === undefined) return `If you mean ${displayAmount(one, currency)}, write ${plainly(one, currency)}.`
  return (
    `This can be read as ${displayAmount(one, currency)} or as ${displayAmount(other, currency)}. ` +
    `Write ${plainly(one, currency)} or ${plainly(other, currency)}.`
  )
}

/** An amount as a person can type it here. */
function plainly(amount: string, currency: Currency): string {
  if (CURRENCY_EXPONENT[currency] === 2) return groupedAmount(amount)
  return isPlain(amount, currency) ? amount : amount.replace(/\.?0+$/, '')
}

/** Groups of digits, between which stand points, commas, spaces or apostrophes. */
const SEPARATED = /^\d{1,15}(?:[.,\s'’]\d{1,15}){1,14}$/

/** What people in different countries mean by a text, in minor units; the smallest first. Empty when no country writes an amount so. */
function readingsOf(text: string, currency: Currency): bigint[] {
  if (!SEPARATED.test(text)) return []
  const groups = text.split(/\D/)
  const marks = text.replace(/\d/g, '')
  const decimals = groups.at(-1) ?? ''
  const mark = marks.at(-1) ?? ''
  const readings = [
    // The last mark stands before decimals: ".", or ",".
    '.,'.includes(mark) && areThousands(groups.slice(0, -1), marks.slice(0, -1)) && !marks.slice(0, -1).includes(mark)
      ? findAmount(
          `${groups.slice(0, -1).join('')}.${decimals}`.replace(/(?<=\..*)0+$/, '').replace(/\.$/, ''),
          currency,
        )
      : null,
    // Every mark stands before thousands.
    areThousands(groups, marks) ? findAmount(groups.join(''), currency) : null,
  ]
  return [...new Set(readings.filter(each => each !== null))]
}

/** Whether each group behind the first has three digits, and one and the same mark stands between them all. */
const areThousands = ([first = '', ...rest]: readonly string[], marks: string): boolean =>
  rest.length === 0 ||
  (/^[1-9]\d{0,2}$/.test(first) && rest.every(each => each.length === 3) && new Set(marks).size === 1)
