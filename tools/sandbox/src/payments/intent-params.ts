import { z } from 'zod'
import { address, boolean, choice, commonShape, integer, metadata, text } from '../http/params.js'
import { methodDataShape } from './payment-methods.js'

/** The parameters of an intent that the sandbox knows (docs.stripe.com/api/payment_intents); others are refused. */

const shipping = z.union([
  z.literal(''),
  z.strictObject({
    name: text(),
    address,
    phone: z.string().optional(),
    carrier: z.string().optional(),
    tracking_number: z.string().optional(),
  }),
])

/** Options and mandates have no effect here, so their fields are not checked. */
const ignored = z.unknown().optional()

const sharedShape = {
  ...commonShape,
  payment_method: text(100).optional(),
  payment_method_data: z.strictObject(methodDataShape).optional(),
  payment_method_types: z
    .array(choice(['card', 'us_bank_account', 'crypto', 'customer_balance']))
    .min(1)
    .optional(),
  payment_method_options: ignored,
  receipt_email: z.string().max(800).optional(),
  setup_future_usage: choice(['on_session', 'off_session']).or(z.literal('')).optional(),
  shipping: shipping.optional(),
  capture_method: choice(['automatic', 'automatic_async']).optional(),
}

const changeShape = {
  ...sharedShape,
  description: z.string().max(1_000).optional(),
  metadata: metadata.optional(),
  statement_descriptor: z.string().max(22).optional(),
  statement_descriptor_suffix: z.string().max(22).optional(),
  transfer_group: z.string().max(500).optional(),
}

const confirmShape = {
  ...sharedShape,
  client_secret: z.string().optional(),
  return_url: z
    .url({ protocol: /^https?$/, error: 'Not a valid URL' })
    .max(5_000)
    .optional(),
  use_stripe_sdk: boolean.optional(),
  error_on_requires_action: boolean.optional(),
  off_session: boolean.optional(),
  mandate_data: ignored,
}

export const confirmParams = z.strictObject(confirmShape)
export type ConfirmParams = z.output<typeof confirmParams>

export const createParams = z.strictObject({
  ...confirmShape,
  ...changeShape,
  amount: integer,
  customer: text(100).optional(),
  currency: text(3).transform(code => code.toLowerCase()),
  confirm: boolean.optional(),
  confirmation_method: choice(['automatic', 'manual']).optional(),
  automatic_payment_methods: z
    .strictObject({ enabled: boolean, allow_redirects: choice(['always', 'never']).optional() })
    .optional(),
})
export type CreateParams = z.output<typeof createParams>

export const updateParams = z.strictObject({
  ...changeShape,
  customer: text(100).optional(),
  amount: integer.optional(),
  currency: text(3)
    .transform(code => code.toLowerCase())
    .optional(),
})
export type UpdateParams = z.output<typeof updateParams>

export const cancelParams = z.strictObject({
  ...commonShape,
  cancellation_reason: choice(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
})
export type CancelParams = z.output<typeof cancelParams>
