/** Saved cards. Numbers are kept by the provider alone. Served by escrow-svc. */
import { z } from 'zod'
import { route } from './route.js'
import { AtProvider } from './subscriptions.js'

const MethodParams = z.object({ cardId: z.string().regex(/^pm_\w{1,100}$/, 'Must be the id of a saved card') })

export const SavedCard = z.object({
  id: z.string(),
  /** Such as `Visa`. */
  brand: z.string(),
  last4: z.string(),
  expMonth: z.number().int(),
  expYear: z.number().int(),
  /** The card that pays for Premium, and that is offered first. */
  isDefault: z.boolean(),
})
export type SavedCard = z.infer<typeof SavedCard>

export const paymentMethodRoutes = {
  listPaymentMethods: route({
    method: 'GET',
    path: '/api/payment-methods',
    access: 'user',
    summary: 'The saved cards of the signed-in user, the default first',
    response: z.array(SavedCard),
    errors: ['PAYMENT_PROVIDER_UNAVAILABLE', 'RATE_LIMITED'],
  }),
  setUpPaymentMethod: route({
    method: 'POST',
    path: '/api/payment-methods/setup',
    access: 'user',
    summary: 'Begin to save a card: the browser gives it to the provider alone',
    response: AtProvider,
    errors: ['FORBIDDEN', 'PAYMENT_PROVIDER_UNAVAILABLE', 'CONFLICT', 'RATE_LIMITED'],
  }),
  makeDefaultPaymentMethod: route({
    method: 'PUT',
    path: '/api/payment-methods/{cardId}/default',
    access: 'user',
    summary: 'Pay for Premium with this card, and offer it first',
    status: 204,
    record: { kind: 'savedCard' },
    params: MethodParams,
    errors: ['NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE', 'RATE_LIMITED'],
  }),
  removePaymentMethod: route({
    method: 'DELETE',
    path: '/api/payment-methods/{cardId}',
    access: 'user',
    summary: 'Remove a saved card; it can then pay nothing any more',
    status: 204,
    record: { kind: 'savedCard' },
    params: MethodParams,
    errors: ['NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE', 'RATE_LIMITED'],
  }),
} as const
