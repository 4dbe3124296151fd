/** Which service serves which route. The gateway and the API documentation take the public routes from these tables. */
import { accountRoutes, exportRoutes } from './account.js'
import { gatewayAdminRoutes } from './admin.js'
import { escrowAdminRoutes } from './admin-escrow.js'
import { eventAdminRoutes } from './admin-events.js'
import { identityAdminRoutes } from './admin-users.js'
import { contactRoutes } from './contacts.js'
import { disputeRoutes } from './dispute-routes.js'
import { enquiryAdminRoutes, enquiryRoutes } from './enquiries.js'
import { invitationRoutes } from './invitations.js'
import { listingRoutes } from './listings.js'
import { liveRoutes, mediatorChatRoutes, messageRoutes } from './messages.js'
import { paymentMethodRoutes } from './payment-methods.js'
import { paymentRoutes } from './payments.js'
import { payoutConfirmationRoutes, payoutRoutes } from './payouts.js'
import { phoneRoutes } from './phone.js'
import { providerSignInRoutes } from './provider-sign-in.js'
import { pushRoutes } from './push.js'
import { receiptRoutes } from './receipts.js'
import { reviewRoutes, sellerRoutes } from './reviews.js'
import type { RouteDefinition, ServiceName } from './route.js'
import { passkeyRoutes, secondFactorRoutes } from './second-factor.js'
import { subscriptionRoutes } from './subscriptions.js'
import { transactionRoutes } from './transaction-routes.js'
import { userRoutes } from './users.js'
import { verificationAdminRoutes, verificationRoutes } from './verification.js'

/** Every public route by name, for the web app and the API documentation. */
export const publicRoutes = {
  ...userRoutes,
  ...accountRoutes,
  ...exportRoutes,
  ...providerSignInRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...contactRoutes,
  ...listingRoutes,
  ...invitationRoutes,
  ...transactionRoutes,
  ...reviewRoutes,
  ...sellerRoutes,
  ...paymentRoutes,
  ...payoutRoutes,
  ...payoutConfirmationRoutes,
  ...subscriptionRoutes,
  ...paymentMethodRoutes,
  ...receiptRoutes,
  ...messageRoutes,
  ...liveRoutes,
  ...disputeRoutes,
  ...mediatorChatRoutes,
  ...pushRoutes,
  ...phoneRoutes,
  ...escrowAdminRoutes,
  ...eventAdminRoutes,
  ...identityAdminRoutes,
  ...enquiryRoutes,
  ...enquiryAdminRoutes,
  ...verificationRoutes,
  ...verificationAdminRoutes,
  ...gatewayAdminRoutes,
} as const
export type PublicRoutes = typeof publicRoutes

/** The public routes by the service that serves them. The gateway itself answers those with `joined`. */
export const ROUTES_BY_SERVICE: Partial<Record<ServiceName, readonly RouteDefinition[]>> = {
  gateway: [
    ...Object.values(liveRoutes),
    ...Object.values(mediatorChatRoutes),
    ...Object.values(accountRoutes),
    ...Object.values(gatewayAdminRoutes),
  ],
  'identity-svc': [
    ...Object.values(userRoutes),
    ...Object.values(exportRoutes),
    ...Object.values(providerSignInRoutes),
    ...Object.values(secondFactorRoutes),
    ...Object.values(passkeyRoutes),
    ...Object.values(sellerRoutes),
    ...Object.values(contactRoutes),
    ...Object.values(pushRoutes),
    ...Object.values(phoneRoutes),
    ...Object.values(payoutConfirmationRoutes),
    ...Object.values(identityAdminRoutes),
    ...Object.values(enquiryRoutes),
    ...Object.values(enquiryAdminRoutes),
    ...Object.values(verificationRoutes),
    ...Object.values(verificationAdminRoutes),
  ],
  'listing-svc': [...Object.values(listingRoutes), ...Object.values(invitationRoutes)],
  'escrow-svc': [
    ...Object.values(transactionRoutes),
    ...Object.values(reviewRoutes),
    ...Object.values(paymentRoutes),
    ...Object.values(payoutRoutes),
    ...Object.values(subscriptionRoutes),
    ...Object.values(paymentMethodRoutes),
    ...Object.values(receiptRoutes),
    ...Object.values(escrowAdminRoutes),
    ...Object.values(eventAdminRoutes),
  ],
  'dispute-svc': Object.values(disputeRoutes),
  'messaging-svc': Object.values(messageRoutes),
}
