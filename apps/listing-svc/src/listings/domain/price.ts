import { DomainError } from '@holdfast/kernel/errors'
import { DEAL_CURRENCY, MAX_PRICE_MINOR, parseAmount } from '@holdfast/kernel/money'

/**
 * A listing's price in minor units of the deals' currency. The spec's minimum is 0 (section 5), but payment providers cannot
 * charge 0, so the minimum here is one cent.
 *
 * @throws DomainError AMOUNT_INVALID, naming the field
 */
export function readPrice(price: string): bigint {
  const minor = readAmount('price', price)
  if (minor === 0n) throw refused('price', 'Must be more than 0')
  if (minor > MAX_PRICE_MINOR) throw refused('price', 'This is more than a transaction may be worth')
  return minor
}

/**
 * A price limit of a search in minor units. 0 and any large amount are allowed.
 *
 * @throws DomainError AMOUNT_INVALID, naming the field
 */
export const readAmount = (field: string, amount: string): bigint => parseAmount(amount, DEAL_CURRENCY, field)

const refused = (field: string, message: string) => new DomainError('AMOUNT_INVALID', { fields: { [field]: message } })
