import { renderCarrierEvent } from '../carrier/render.js'
import type { Context } from '../context.js'
import { renderCryptoEvent } from '../crypto/tell.js'
import { renderEvent } from '../payments/render-event.js'
import { type Posted, post } from './post.js'
import type { Attempt, DeliveryRecord, Receiver } from './records.js'
import { signCarrier, signCoinify, signStripe } from './signature.js'
import { targetOf } from './target.js'

const MAX_UNDER_WAY = 16
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 60_000
/** At one a minute, about a day. After that a person must send it again. */
const MAX_ATTEMPTS = 1_440
const KEPT_ATTEMPTS = 5

/**
 * Posts events to their receivers: several at once, so that order is not promised, and again with growing pauses until an
 * answer is 2xx. Undelivered events are kept in the store, so that a kill delays events and loses none.
 */
export class Deliveries {
  private readonly underWay = new Set<string>()
  private timer: NodeJS.Timeout | null = null
  private stopped = false

  constructor(
    private readonly context: Context,
    private readonly log: { warn(details: object, message: string): void },
  ) {}

  /** Starts with the deliveries that were left over; their next tries are due at once. */
  start(): void {
    const now = this.context.now()
    for (const each of [...this.context.state.pending.sendableOldestFirst()]) {
      if (each.attempts > 0 && each.dueAt > now) this.context.state.deliveries.put({ ...each, dueAt: now })
    }
    this.context.state.signals.on('committed', this.look)
    this.look()
  }

  /** Starts no more deliveries, and waits for those being sent, at most `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    this.stopped = true
    this.context.state.signals.off('committed', this.look)
    if (this.timer) clearTimeout(this.timer)
    const deadline = Date.now() + deadlineMs
    while (this.underWay.size > 0 && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 20))
  }

  /** Sends what is due, and sets a timer for what is due next. */
  private readonly look = (): void => {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    if (this.stopped || this.context.state.settings.webhooksPaused) return
    let next = Number.POSITIVE_INFINITY
    const now = this.context.now()
    for (const each of this.context.state.pending.sendableOldestFirst()) {
      if (this.underWay.size >= MAX_UNDER_WAY) return
      if (this.underWay.has(each.id)) continue
      if (each.dueAt <= now) void this.deliver(each)
      else next = Math.min(next, each.dueAt)
    }
    if (next < Number.POSITIVE_INFINITY) {
      this.timer = setTimeout(this.look, Math.min(next - now, MAX_RETRY_MS))
      this.timer.unref()
    }
  }

  private async deliver(delivery: DeliveryRecord): Promise<void> {
    this.underWay.add(delivery.id)
    const at = this.context.now()
    try {
      const posted = await this.send(delivery, at)
      // Everything may have been reset meanwhile.
      const current = this.context.state.deliveries.get(delivery.id)
      if (current) this.context.state.deliveries.put(after(current, { at, ms: this.context.now() - at, ...posted }))
      // Not awaited: after a kill the event is sent once more, and receivers must handle duplicates anyway.
      this.context.state.commit().catch((error: unknown) => {
        this.log.warn({ err: error, delivery: delivery.id }, 'a delivery could not be recorded')
      })
    } finally {
      this.underWay.delete(delivery.id)
      this.look()
    }
  }

  private send(delivery: DeliveryRecord, now: number): Promise<Posted> {
    const { url, secret } = targetOf(this.context.config, delivery.receiver)
    const body = bodyOf(this.context, delivery)
    if (url === null || body === null) return Promise.resolve({ status: null, error: 'nothing left to send' })
    return post(url, body, signatureOf(delivery.receiver, body, secret, now))
  }
}

function signatureOf(receiver: Receiver, body: string, secret: string, now: number): Record<string, string> {
  switch (receiver) {
    case 'stripe':
      return { 'stripe-signature': signStripe(body, secret, now) }
    case 'carrier':
      return { 'x-hmac-signature': signCarrier(body, secret) }
    case 'coinify':
      return { 'x-coinify-webhook-signature': signCoinify(body, secret) }
  }
}

/** The exact text of a delivery's body; null when its event has been forgotten. */
export function bodyOf(context: Context, delivery: Pick<DeliveryRecord, 'receiver' | 'eventId'>): string | null {
  if (delivery.receiver === 'carrier') {
    const event = context.state.carrierEvents.get(delivery.eventId)
    return event ? JSON.stringify(renderCarrierEvent(event)) : null
  }
  if (delivery.receiver === 'coinify') {
    const event = context.state.cryptoEvents.get(delivery.eventId)
    return event ? JSON.stringify(renderCryptoEvent(event), null, 2) : null
  }
  const event = context.state.events.get(delivery.eventId)
  // Indented by two spaces, as the provider does: a receiver that verifies a re-serialised body then fails in tests.
  return event ? JSON.stringify(renderEvent(event, 1), null, 2) : null
}

function after(delivery: DeliveryRecord, attempt: Attempt): DeliveryRecord {
  const attempts = delivery.attempts + 1
  const recent = [...delivery.recent, attempt].slice(-KEPT_ATTEMPTS)
  if (attempt.status !== null && attempt.status >= 200 && attempt.status < 300) {
    return { ...delivery, status: 'delivered', attempts, recent }
  }
  const pause = Math.min(FIRST_RETRY_MS * 2 ** Math.min(delivery.attempts, 10), MAX_RETRY_MS)
  const status = attempts >= MAX_ATTEMPTS ? 'given_up' : 'pending'
  return { ...delivery, status, attempts, recent, dueAt: attempt.at + attempt.ms + pause }
}
