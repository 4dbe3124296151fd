import { PAYMENT_METHODS_META, type PaymentMethod } from '@holdfast/kernel/payments'

/** The ways to pay as the screens name them, in the order in which they are offered. */
export const METHODS = [
  { value: 'card', label: 'Card' },
  { value: 'bank', label: 'Bank' },
  { value: 'crypto', label: 'Crypto' },
] as const satisfies readonly { value: PaymentMethod; label: string }[]

/** Whether buyers are offered this way to pay, as the server has written into the page; true in a page without its word. */
export const isOffered = (method: PaymentMethod): boolean =>
  document
    .querySelector<HTMLMetaElement>(`meta[name="${PAYMENT_METHODS_META}"]`)
    ?.content.split(',')
    .includes(method) !== false

const WAYS = { card: 'by card', bank: 'by bank transfer', crypto: 'in cryptocurrency' } as const

/** The ways to pay that are offered, as a part of a sentence: "by card, by bank transfer or in cryptocurrency". */
export const waysToPay = (words: Readonly<Record<PaymentMethod, string>> = WAYS): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    METHODS.filter(({ value }) => isOffered(value)).map(({ value }) => words[value]),
  )
