import type { Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import type { IntentRecord } from '../payments/records.js'
import { renderEvent } from '../payments/render-event.js'
import { renderIntent } from '../payments/render-intent.js'
import { type Posted, post } from './post.js'
import { signStripe } from './signature.js'

const STALE_BY_MS = 10 * 60 * 1000

/** The ways to forge a claim that a payment succeeded. */
export const FORGERIES = ['wrong_secret', 'stale', 'tampered', 'unsigned', 'livemode', 'wrong_amount'] as const
export type Forgery = (typeof FORGERIES)[number]

/**
 * Posts once a claim that an intent has succeeded, which the product must not accept. Answers the product's answer.
 * `livemode` and `wrong_amount` are correctly signed: only a comparison with the product's own row finds them out.
 */
export async function forge(context: Context, intent: IntentRecord, kind: Forgery): Promise<Posted> {
  const { url, secret } = context.config.stripeWebhook
  if (url === null) return { status: null, error: 'no WEBHOOK_URL is set' }
  const now = context.now()
  const amount = kind === 'wrong_amount' ? intent.amount - 1 : intent.amount
  const claimed = renderIntent(context, { ...intent, amount, status: 'succeeded', lastError: null, action: null })
  const event = renderEvent(
    {
      id: objectId('evt'),
      createdAt: now,
      type: 'payment_intent.succeeded',
      objectJson: JSON.stringify({ ...claimed, livemode: kind === 'livemode' }),
      previous: null,
      requestId: null,
      idempotencyKey: null,
    },
    1,
  )
  const body = JSON.stringify({ ...event, livemode: kind === 'livemode' }, null, 2)
  if (kind === 'unsigned') return post(url, body, {})
  const signature = signStripe(
    kind === 'tampered' ? body.replace('"succeeded"', '"processing"') : body,
    kind === 'wrong_secret' ? `${secret}_not` : secret,
    kind === 'stale' ? now - STALE_BY_MS : now,
  )
  return post(url, body, { 'stripe-signature': signature })
}
