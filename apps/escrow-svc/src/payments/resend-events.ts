import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import type Stripe from 'stripe'
import { STRIPE_API_VERSION } from '../provider/stripe-calls.js'
import { READ_EVENT_TYPES } from './event-form.js'
import { type Posted, postEvent, type Webhook } from './post-event.js'

/** The provider lists its newest event first, and a refund is booked after its payment. So the events of so long are read and then turned round. */
const READ_AT_ONCE_MS = 60 * 60_000
const PAGE = 100

/**
 * Posts the provider's events since a time to a webhook of ours, the oldest first, signed as the provider signs them. An event has its effect
 * once, however often it comes. Stripe lists the events of the last 30 days, and those of our own account only.
 */
export async function resendEvents(stripe: Stripe, since: Date, webhook: Webhook): Promise<Posted> {
  let accepted = 0
  const refused: string[] = []
  for (let from = since.getTime(); from <= Date.now(); from += READ_AT_ONCE_MS)
    for (const event of await eventsOf(stripe, from, from + READ_AT_ONCE_MS)) {
      const refusal = await resend(stripe, event, webhook)
      if (refusal === null) accepted++
      else refused.push(`${event.id} ${event.type}: ${refusal}`)
    }
  return { accepted, refused }
}

/** The events of a span of time that the service reads, the oldest first. */
async function eventsOf(stripe: Stripe, fromMs: number, untilMs: number): Promise<Stripe.Event[]> {
  const created = { gte: Math.floor(fromMs / 1000), lt: Math.floor(untilMs / 1000) }
  const events: Stripe.Event[] = []
  for await (const event of stripe.events.list({ created, limit: PAGE }))
    if (READ_EVENT_TYPES.includes(event.type)) events.push(event)
  return events.reverse()
}

/** @returns why the event was not accepted; null when it was */
async function resend(stripe: Stripe, event: Stripe.Event, { url, secret }: Webhook): Promise<string | null> {
  // What is listed has the form of the account's own version, and not that of the webhook.
  if (event.api_version !== STRIPE_API_VERSION)
    return `it has the form of the API version ${event.api_version}: resend it in the provider’s dashboard`
  const payload = JSON.stringify(event)
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret })
  return postEvent(url, payload, { [SIGNATURE_HEADERS.stripe]: signature })
}
