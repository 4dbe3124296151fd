/** The beginning of the paths of all webhooks. */
export const WEBHOOKS_PATH = '/api/webhooks/'

/** Whether a route takes webhooks. They come from other sites, and the service that handles one checks its signature. */
export const isWebhook = ({ path }: { readonly path: string }): boolean => path.startsWith(WEBHOOKS_PATH)

/** The headers in which senders of webhooks sign, by sender. The gateway passes them on, and the service that handles the webhook reads its own. */
export const SIGNATURE_HEADERS = {
  stripe: 'stripe-signature',
  coinify: 'x-coinify-webhook-signature',
  carrier: 'x-hmac-signature',
  twilio: 'x-twilio-signature',
} as const
