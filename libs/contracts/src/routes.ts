/** Who serves what. The gateway registers the public routes from this table; the API documentation is made from it. */
import { disputeRoutes } from './disputes.js'
import { listingRoutes } from './listings.js'
import { liveRoutes, messageRoutes } from './messages.js'
import { paymentRoutes } from './payments.js'
import type { RouteDefinition, ServiceName } from './route.js'
import { transactionRoutes } from './transaction-routes.js'
import { userRoutes } from './users.js'

/** Every public route by name: what the web app and the documentation know. */
export const publicRoutes = {
  ...userRoutes,
  ...listingRoutes,
  ...transactionRoutes,
  ...paymentRoutes,
  ...messageRoutes,
  ...liveRoutes,
  ...disputeRoutes,
} as const
export type PublicRoutes = typeof publicRoutes

/** The public routes by the service that serves them; the joined ones are the gateway's. */
export const ROUTES_BY_SERVICE: Partial<Record<ServiceName, readonly RouteDefinition[]>> = {
  gateway: Object.values(liveRoutes),
  'identity-svc': Object.values(userRoutes),
  'listing-svc': Object.values(listingRoutes),
  'escrow-svc': [...Object.values(transactionRoutes), ...Object.values(paymentRoutes)],
  'dispute-svc': Object.values(disputeRoutes),
  'messaging-svc': Object.values(messageRoutes),
}
