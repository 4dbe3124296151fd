/** Payment methods that are saved with a customer (docs.stripe.com/api/payment_methods/attach). */
import type { Cause, Context } from '../context.js'
import { StripeError } from '../http/stripe-error.js'
import { getCustomer } from './customers.js'
import { recordEvent } from './events.js'
import { getMethod } from './payment-methods.js'
import type { IntentRecord, PaymentMethodRecord } from './records.js'
import { renderMethod } from './render-method.js'

/** Saves a method with a customer. @throws StripeError 400 for one that has paid without a customer, or is another customer's */
export function attachMethod(
  context: Context,
  cause: Cause,
  methodId: string,
  customerId: string,
): PaymentMethodRecord {
  const method = getMethod(context, methodId)
  const { id } = getCustomer(context, customerId)
  if (method.customerId === id) return method
  if (method.customerId !== undefined)
    throw StripeError.invalid('The payment method you provided has already been attached to a customer.')
  if (method.used) throw usedUp()
  return keepWith(context, cause, method, id)
}

/** Saves the method of a payment that has succeeded, as its `setup_future_usage` asks. */
export function saveMethodOf(context: Context, cause: Cause, intent: IntentRecord, method: PaymentMethodRecord): void {
  if (!intent.setupFutureUsage || intent.customerId === undefined || method.customerId !== undefined) return
  keepWith(context, cause, method, intent.customerId)
}

export function keepWith(
  context: Context,
  cause: Cause,
  method: PaymentMethodRecord,
  customerId: string,
): PaymentMethodRecord {
  const attached = context.state.methods.put({ ...method, customerId })
  recordEvent(context, cause, 'payment_method.attached', renderMethod(attached), { subject: customerId })
  return attached
}

/** Removes a method from its customer. It can never pay again. @throws StripeError 400 when it is not saved */
export function detachMethod(context: Context, cause: Cause, method: PaymentMethodRecord): PaymentMethodRecord {
  if (method.customerId === undefined)
    throw StripeError.invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  const { customerId, ...rest } = method
  const detached = context.state.methods.put({ ...rest, used: true })
  const customer = context.state.customers.get(customerId)
  if (customer?.defaultMethodId === method.id) {
    const { defaultMethodId: _, ...kept } = customer
    context.state.customers.put(kept)
  }
  for (const each of [...context.state.subscriptions.oldestFirst()])
    if (each.methodId === method.id) context.state.subscriptions.put({ ...each, methodId: null })
  recordEvent(context, cause, 'payment_method.detached', renderMethod(detached), { subject: customerId })
  return detached
}

/** A method that is saved with this customer. @throws StripeError 400 */
export function attachedMethod(context: Context, methodId: string, customerId: string): PaymentMethodRecord {
  const method = getMethod(context, methodId)
  if (method.customerId === customerId) return method
  throw StripeError.invalid(
    `The customer does not have a payment method with the ID ${methodId}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param: 'payment_method' },
  )
}

/** Whether a method may pay for a customer, or for nobody in particular. @throws StripeError 400 */
export function checkUsable(method: PaymentMethodRecord, customerId: string | undefined): void {
  if (method.customerId === undefined) {
    if (method.used) throw usedUp()
    return
  }
  if (method.customerId !== customerId)
    throw StripeError.invalid(
      'The provided PaymentMethod cannot be attached. It belongs to a Customer. Please include the Customer in the `customer` parameter.',
      { param: 'payment_method' },
    )
}

const usedUp = () =>
  StripeError.invalid(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    { param: 'payment_method' },
  )
