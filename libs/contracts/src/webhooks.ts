/** The headers in which senders of webhooks sign, by sender. The gateway passes them on, and the service that handles the webhook reads its own. */
export const SIGNATURE_HEADERS = {
  stripe: 'stripe-signature',
  coinify: 'x-coinify-webhook-signature',
  carrier: 'x-hmac-signature',
  twilio: 'x-twilio-signature',
} as const
