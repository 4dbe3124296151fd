/** Card details as people type them: how they look while typed, and what is wrong with them. */

export interface CardDetails {
  readonly cardNumber: string
  readonly expiry: string
  readonly cvv: string
  readonly name: string
}
export type CardField = keyof CardDetails

const MIN_NUMBER_DIGITS = 12
const MAX_NUMBER_DIGITS = 19
const MAX_NAME_LENGTH = 100
/** American Express: groups of 4-6-5, and a code of four digits. */
const isAmex = (digits: string) => /^3[47]/.test(digits)

export const digitsOf = (text: string) => text.replace(/\D/g, '')

/** "4242424242424242" as on the card: "4242 4242 4242 4242"; American Express 4-6-5. */
export function formatCardNumber(text: string): string {
  const digits = digitsOf(text).slice(0, MAX_NUMBER_DIGITS)
  if (isAmex(digits)) return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)].filter(Boolean).join(' ')
  return (digits.match(/.{1,4}/g) ?? []).join(' ')
}

/** "1228" becomes "12/28", and "5" becomes "05": the slash is added while typing. With `before` a deletion is told apart from typing. */
export function formatExpiry(text: string, before = ''): string {
  const deleting = text.length < before.length
  const digits = digitsOf(text)
  const month = /^[2-9]/.test(digits) ? `0${digits}` : /^1\//.test(text) ? `01${digits.slice(1)}` : digits
  const parts = month.slice(0, 4)
  if (parts.length < 2 || (deleting && parts.length === 2)) return deleting ? digits : parts
  return `${parts.slice(0, 2)}/${parts.slice(2)}`
}

export const formatCvv = (text: string) => digitsOf(text).slice(0, 4)

/** A month as the provider takes it: "03/28" is month 3 of 2028. Null when it is not a month. */
export function readExpiry(expiry: string): { readonly month: number; readonly year: number } | null {
  const match = /^(\d{2})\/(\d{2})$/.exec(expiry)
  const month = Number(match?.[1])
  return match && month >= 1 && month <= 12 ? { month, year: 2000 + Number(match[2]) } : null
}

/** The check digit of card numbers (ISO/IEC 7812-1, annex B): it finds a digit mistyped, and neighbours swapped. */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return digits !== '' && sum % 10 === 0
}

/** What is wrong with each field, and how to put it right; empty when the card can be sent to the provider. */
export function cardErrors(card: CardDetails, now: Date): Partial<Record<CardField, string>> {
  const found = {
    cardNumber: numberError(digitsOf(card.cardNumber)),
    expiry: expiryError(card.expiry, now),
    cvv: cvvError(card.cvv, digitsOf(card.cardNumber)),
    name: nameError(card.name.trim()),
  }
  return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== null))
}

function numberError(digits: string): string | null {
  if (digits === '') return 'Enter the number on the front of the card.'
  if (digits.length < MIN_NUMBER_DIGITS) return 'This card number is too short.'
  return passesLuhn(digits) ? null : 'This is no card number: compare it with the card, digit by digit.'
}

function expiryError(text: string, now: Date): string | null {
  if (text === '') return 'Enter the month and year the card expires.'
  const expiry = readExpiry(text)
  if (!expiry) return 'Write it as month and year, like 04/28.'
  // A card is good through the last day of its month, wherever on earth that ends last.
  const endsAt = Date.UTC(expiry.year, expiry.month, 1, 12)
  return now.getTime() < endsAt ? null : 'This card has expired. Use another one.'
}

function cvvError(cvv: string, number: string): string | null {
  const length = isAmex(number) ? 4 : 3
  if (cvv === '') return 'Enter the security code of the card.'
  return cvv.length === length
    ? null
    : `The code has ${length} digits${length === 4 ? ', on the front of the card' : ', on the back of the card'}.`
}

function nameError(name: string): string | null {
  if (name === '') return 'Enter the name as it stands on the card.'
  return name.length > MAX_NAME_LENGTH ? 'This name is too long.' : null
}
