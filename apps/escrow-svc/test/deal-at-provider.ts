import { newId } from '@holdfast/kernel/ids'
import { chargeback, refundMadeByHand, succeeded } from '@holdfast/testing/stripe-events'
import type { ProviderMessage } from './provider-model.js'
import type { RunningEscrow } from './running-escrow.js'

/** The fields of the provider's refunds and disputes that the model uses. */
interface ProviderObject {
  readonly object: 'refund' | 'dispute'
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly payment_intent: string
  readonly metadata?: { readonly refund_id?: string }
}

/** The model's words for the provider's statuses of refunds and disputes. */
const STATUSES: Readonly<Record<string, ProviderMessage['status']>> = {
  pending: 'sent',
  succeeded: 'confirmed',
  failed: 'failed',
  needs_response: 'open',
  won: 'won',
  lost: 'lost',
  warning_needs_response: 'inquiry',
  warning_closed: 'won',
}

/** A signed event as the provider sends it. */
interface StripeEvent {
  readonly id: string
  /** Seconds. */
  readonly created: number
  readonly data: { readonly object: object }
}

/** A message that was sent, and the HTTP status that answered it. */
export interface SentMessage {
  readonly message: ProviderMessage
  readonly status: number
}

/** The payments of one deal at the sandbox, and what the sandbox has to say about their refunds and disputes. */
export class DealAtProvider {
  /** The intents of the deal, in the order of its payments. */
  intents: readonly string[] = []
  /** When each event happened, by the provider's clock. Two of a deal never happen in one second, as decisions of banks never do. */
  private readonly createdAt = new Map<string, number>()

  constructor(private readonly escrow: RunningEscrow) {}

  /** An operator refunds by hand: a third of the payment, or what is left. The sandbox may refuse it. */
  refund(totalMinor: number, part: boolean): Promise<boolean> {
    return this.try(`/payments/${this.intents.at(-1)}/refund`, part ? { amount: Math.floor(totalMinor / 3) } : {})
  }

  /** The latest refund of a payment ends. A refund that succeeded may fail afterwards. */
  async endRefund(outcome: 'settle' | 'fail'): Promise<boolean> {
    const refund = this.refunds().at(-1)
    return refund !== undefined && this.try(`/refunds/${refund.id}/${outcome}`)
  }

  openChargeback(): Promise<boolean> {
    return this.try(`/payments/${this.intents.at(-1)}/dispute`)
  }

  async closeChargeback(outcome: 'won' | 'lost'): Promise<boolean> {
    const dispute = this.disputes().at(-1)
    return dispute !== undefined && this.try(`/disputes/${dispute.id}/close`, { outcome })
  }

  async decideAgain(): Promise<boolean> {
    const dispute = this.disputes().at(-1)
    return dispute !== undefined && this.try(`/disputes/${dispute.id}/decide-again`)
  }

  /**
   * Sends one of the provider's events about refunds and disputes of the deal, as often as it was sent before.
   *
   * @param nth its number among those events; beyond their count it starts again
   * @param copy sends it under another event id
   * @returns null when there is no such event yet
   */
  async sendNth(nth: number, copy: boolean): Promise<SentMessage | null> {
    const events = this.events()
    const event = events[nth % events.length]
    return event ? this.send(copy ? { ...event, id: `evt_${newId()}` } : event) : null
  }

  /** Sends every event about refunds and disputes of the deal: at first in reverse order, then in order. */
  async sendAll(): Promise<number[]> {
    const statuses: number[] = []
    for (const event of [...this.events().reverse(), ...this.events()])
      statuses.push((await this.escrow.webhook(event)).status)
    return statuses
  }

  /** Sends an event about an inquiry of the buyer's bank, which moves no money. Null before there is a payment. */
  async sendInquiry(totalMinor: number, closed: boolean): Promise<SentMessage | null> {
    const intent = this.intents.at(-1)
    const status = closed ? 'warning_closed' : 'warning_needs_response'
    return intent === undefined
      ? null
      : this.send(chargeback(intent, totalMinor, 'updated', { id: `du_inquiry_${intent}`, status }))
  }

  /** Sends events that are not about a payment of ours, and one about our payment with a wrong signature. */
  async sendForeign(totalMinor: number): Promise<number[]> {
    const foreign = `pi_foreign_${newId()}`
    const events = [
      succeeded(foreign, totalMinor),
      refundMadeByHand('refund.created', { intent: foreign, amount: totalMinor, status: 'succeeded' }),
      chargeback(foreign, totalMinor, 'lost'),
      { id: `evt_${newId()}`, object: 'event', type: 'review.closed', livemode: false, data: { object: {} } },
    ]
    const forged = succeeded(this.intents.at(-1) ?? foreign, totalMinor)
    const answers = await Promise.all([
      ...events.map(event => this.escrow.webhook(event)),
      this.escrow.webhook(forged, 'whsec_of_another_account'),
    ])
    return answers.map(({ status }) => status)
  }

  /** The money that the provider has for this deal, in minor units: charged, less refunded and charged back. */
  get balance(): number {
    const { intents, charges } = this.escrow.sandbox.context.state
    const charged = this.intents.map(id => charges.get(intents.get(id)?.chargeId ?? ''))
    const refunded = this.refunds().filter(({ status }) => status === 'succeeded')
    const chargedBack = this.disputes().filter(({ status }) => status !== 'won')
    return sumOf(charged.filter(charge => charge?.status === 'succeeded')) - sumOf(refunded) - sumOf(chargedBack)
  }

  /** Whether the provider would carry out a refund of ours now, or has carried it out. */
  takes(refundId: string, intent: string, amountMinor: number): boolean {
    if (this.refunds().some(({ metadata, status }) => metadata.refund_id === refundId && status !== 'failed'))
      return true
    const { intents, charges } = this.escrow.sandbox.context.state
    const charge = charges.get(intents.get(intent)?.chargeId ?? '')
    return !!charge && !charge.disputed && charge.amount - charge.amountRefunded >= amountMinor
  }

  private async send(event: StripeEvent): Promise<SentMessage> {
    // Of a payment that is not booked yet, 503 is the right answer.
    const { status } = await this.escrow.webhookOnce(event)
    const { object, id, amount, metadata, status: state } = event.data.object as ProviderObject
    const known = { id, amount, status: STATUSES[state] } as ProviderMessage
    const message =
      object === 'refund'
        ? { ...known, about: object, ours: metadata?.refund_id !== undefined }
        : { ...known, about: 'chargeback' as const, at: event.created }
    return { message: message as ProviderMessage, status }
  }

  private events(): StripeEvent[] {
    const found: StripeEvent[] = []
    for (const { id, type, createdAt, objectJson } of this.escrow.sandbox.context.state.events.oldestFirst()) {
      if (!type.startsWith('refund.') && !type.startsWith('charge.dispute.')) continue
      const object = JSON.parse(objectJson) as ProviderObject
      if (!this.intents.includes(object.payment_intent)) continue
      const created = this.createdAt.get(id) ?? Math.max(Math.floor(createdAt / 1000), ...this.later())
      this.createdAt.set(id, created)
      found.push({ id, object: 'event', type, created, livemode: false, data: { object } } as StripeEvent)
    }
    return found
  }

  /** The second after the latest event. */
  private readonly later = () => [...this.createdAt.values()].slice(-1).map(created => created + 1)

  private refunds() {
    const { refunds } = this.escrow.sandbox.context.state
    return [...refunds.oldestFirst()].filter(({ intentId }) => intentId !== null && this.intents.includes(intentId))
  }

  private disputes() {
    const { disputes } = this.escrow.sandbox.context.state
    return [...disputes.oldestFirst()].filter(({ intentId }) => this.intents.includes(intentId))
  }

  private try(path: string, body: object = {}): Promise<boolean> {
    return this.escrow.dependencies.tryControl(path, body)
  }
}

const sumOf = (objects: readonly ({ readonly amount: number } | undefined)[]) =>
  objects.reduce((sum, object) => sum + (object?.amount ?? 0), 0)
