/** The payers of the merchant (docs.stripe.com/api/customers). */
import type { Context } from '../context.js'
import { objectId, randomName } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import type { CustomerRecord, Metadata } from './records.js'

const ACCOUNT_DIGITS = 12
const REFERENCE_LENGTH = 12

/** A payer with bank details of their own. */
export function createCustomer(context: Context, metadata: Metadata): CustomerRecord {
  const digits = [...randomName(ACCOUNT_DIGITS)].map(letter => letter.charCodeAt(0) % 10).join('')
  return context.state.customers.put({
    id: objectId('cus'),
    createdAt: context.now(),
    email: null,
    metadata,
    accountNumber: digits,
    reference: randomName(REFERENCE_LENGTH).toUpperCase(),
  })
}

/** @throws StripeError 404, also for one that was deleted */
export function getCustomer(context: Context, id: string): CustomerRecord {
  const customer = context.state.customers.get(id)
  if (!customer || customer.deleted) throw StripeError.missing('customer', id, 'customer')
  return customer
}
