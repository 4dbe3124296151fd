import { createHmac } from 'node:crypto'

/**
 * The provider's `Stripe-Signature` header: `t=<seconds>,v1=<hex>`, the HMAC-SHA256 of `<t>.<body>` under the endpoint's
 * secret (docs.stripe.com/webhooks#verify-manually).
 */
export function signStripe(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/**
 * The crypto processor's `X-Coinify-Webhook-Signature` header: the HMAC-SHA256 of the body under the shared secret, in lower-case
 * hexadecimal digits (coinify.readme.io/docs/webhook-signature).
 */
export const signCoinify = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/**
 * The aggregator's `X-Hmac-Signature` header: `hmac-sha256-hex=<hex>`, the HMAC-SHA256 of the body under the webhook's
 * secret in normal form KD (docs.easypost.com/guides/webhooks-guide).
 */
export function signCarrier(body: string, secret: string): string {
  return `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`
}
