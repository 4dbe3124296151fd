import {
  dealsAnnounced,
  type disputeOpened,
  EVENTS,
  type EventEnvelope,
  type PayloadOf,
} from '@holdfast/contracts/events'
import { newEvent, originOf } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { lockUntilCommit } from '@holdfast/service-kit/database/lock-until-commit'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { type Candidate, passOnEvents } from '../notifications/pass-on.js'
import { announcementOf } from './announcement.js'
import { DEAL_TEXTS, type Deal, type DealEventName } from './deal-texts.js'
import { announcementOfStep, type DisputeProgress } from './dispute-texts.js'
import { type EventEffects, effectsOf, WRITE_EFFECTS, type WrittenNotification } from './event-effects.js'

type DealEvent = EventEnvelope<PayloadOf<(typeof EVENTS)[DealEventName]>>
type StepEvent = EventEnvelope<DisputeProgress>

const NAMES = Object.keys(DEAL_TEXTS) as DealEventName[]
const NAME_OF_TYPE = new Map<string, DealEventName>(NAMES.map(name => [EVENTS[name].type, name]))

/** Announces the events of a deal to its parties. */
@Injectable()
export class DealEventsService {
  constructor(private readonly clock: Clock) {}

  /**
   * Writes the system's message into the chat of each event's deal, notifies the parties that did not act, and stores the
   * parties of deals that are new here. All these deals share one published event, because most of the cost of an event does not
   * depend on how many deals it names.
   *
   * @param manager the dbTx of the events, which were not handled before
   */
  async announce(events: readonly DealEvent[], manager: EntityManager): Promise<void> {
    const now = this.clock.now()
    const effects = events.map(event => this.prepare(event, now))
    await write(manager, events, effects, now)
  }

  /** The same for the steps of disputes. Some steps are announced by another event, and are left out here. */
  async announceSteps(events: readonly StepEvent[], manager: EntityManager): Promise<void> {
    const now = this.clock.now()
    const announced = events.flatMap(event => {
      const announcement = announcementOfStep(event.payload)
      const deal = { ...event.payload, at: event.occurredAt }
      return announcement ? [{ event, effects: effectsOf(deal, announcement, now) }] : []
    })
    if (announced.length === 0) return
    await write(
      manager,
      announced.map(({ event }) => event),
      announced.map(({ effects }) => effects),
      now,
    )
  }

  /**
   * Keeps a dispute of a deal, and completes the notifications that were written before its id was known: the system files a dispute after
   * escrow-svc has announced it. Events of the deal, even the first one, may come later than this event.
   *
   * @param openedAt ISO 8601
   */
  async recordDispute(
    dispute: PayloadOf<typeof disputeOpened>,
    openedAt: string,
    manager: EntityManager,
  ): Promise<void> {
    const { disputeId, transactionId, buyerId, sellerId } = dispute
    await lockDispute(manager, transactionId)
    await manager.query(
      'INSERT INTO opened_dispute (transaction_id, dispute_id, opened_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [transactionId, disputeId, openedAt],
    )
    // The release before reads the latest dispute here.
    await manager.query('UPDATE deals SET dispute_id = greatest(dispute_id, $2) WHERE transaction_id = $1', [
      transactionId,
      disputeId,
    ])
    // By its users, because the index of the notifications begins with them.
    await manager.query(
      `UPDATE notifications SET dispute_id = $2
       WHERE user_id = ANY($3) AND transaction_id = $1 AND type = 'dispute' AND dispute_id IS NULL`,
      [transactionId, disputeId, [buyerId, sellerId]],
    )
  }

  private prepare(event: DealEvent, now: Date): EventEffects {
    const name = NAME_OF_TYPE.get(event.type)!
    const deal = event.payload as Deal<typeof name>
    return effectsOf(deal, announcementOf(name, deal), now)
  }
}

async function write(
  manager: EntityManager,
  events: readonly EventEnvelope[],
  effects: readonly EventEffects[],
  now: Date,
): Promise<void> {
  const disputed = effects.filter(({ announcement }) => announcement.dispute === 'new')
  for (const id of disputed.map(({ transactionId }) => transactionId).sort((a, b) => a - b))
    await lockDispute(manager, id)
  const written: WrittenNotification[] = await manager.query(WRITE_EFFECTS.text, WRITE_EFFECTS.values(effects))
  await appendToOutbox(manager, eventAbout(events, effects, now), ...passOnEvents(dueAtOnce(written, effects), now))
}

/**
 * Of the event of a dispute that the system filed, and that of its deal, the later one in this lock completes the notifications. Without it
 * each could be handled before the other is committed.
 */
const lockDispute = (manager: EntityManager, transactionId: number): Promise<void> =>
  lockUntilCommit(manager, `dispute of deal ${transactionId}`)

/** The notifications that need not wait. A hidden deal is not named. */
function dueAtOnce(written: readonly WrittenNotification[], effects: readonly EventEffects[]): Candidate[] {
  const titles = new Map(effects.map(({ transactionId, dealTitle }) => [transactionId, dealTitle]))
  return written
    .filter(({ waits }) => !waits)
    .map(each => ({ ...each, dealTitle: each.transactionId === null ? null : titles.get(each.transactionId)! }))
}

/** The event about the deals of the effects. Each deal is in it once. It has an origin only when a single event caused it. */
function eventAbout(events: readonly EventEnvelope[], effects: readonly EventEffects[], now: Date): EventEnvelope {
  const deals = new Map(
    effects.map(({ transactionId, buyerId, sellerId }) => [transactionId, { transactionId, buyerId, sellerId }]),
  )
  const [first, ...others] = events as [EventEnvelope, ...EventEnvelope[]]
  const origin = others.length === 0 ? originOf(first) : {}
  return newEvent(dealsAnnounced, first.key, { transactions: [...deals.values()] }, now, origin)
}
