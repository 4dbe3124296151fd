import { EVENTS, type EventEnvelope, type PayloadOf } from '@holdfast/contracts/events'
import { originOf } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { DEAL_TEXTS, type Deal, type DealEventName } from './deal-texts.js'
import { TELL, type Telling, tellingOf } from './tell-statement.js'
import { told } from './told.js'

type DealEvent = EventEnvelope<PayloadOf<(typeof EVENTS)[DealEventName]>>

const NAMES = Object.keys(DEAL_TEXTS) as DealEventName[]
const NAME_OF_TYPE = new Map<string, DealEventName>(NAMES.map(name => [EVENTS[name].type, name]))

/** Tells the parties of a deal what happens to it. */
@Injectable()
export class DealEventsService {
  constructor(private readonly clock: Clock) {}

  /**
   * Writes the system's message into the chat of each event's deal, notifies the party that did not act, and keeps who
   * the parties are.
   *
   * @param manager the dbTx of the events, which were not handled before
   */
  async tell(events: readonly DealEvent[], manager: EntityManager): Promise<void> {
    const now = this.clock.now()
    const tellings = events.map(event => this.prepare(event, now))
    await manager.query(TELL.text, TELL.values(tellings))
    await appendToOutbox(manager, ...tellings.map(telling => telling.posted))
  }

  private prepare(event: DealEvent, now: Date): Telling {
    const name = NAME_OF_TYPE.get(event.type)!
    const deal = event.payload as Deal<typeof name>
    return tellingOf(deal, told(name, deal), now, originOf(event))
  }
}
