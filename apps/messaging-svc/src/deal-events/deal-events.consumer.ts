import { disputeOpened, disputeProgressed, EVENTS, type PayloadOf } from '@holdfast/contracts/events'
import { type BatchContext, type HandledEvent, type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { DealEventsService } from './deal-events.service.js'
import { DEAL_TEXTS, type DealEventName } from './deal-texts.js'

type DealEventDefinition = (typeof EVENTS)[DealEventName]

const NAMES = Object.keys(DEAL_TEXTS) as [DealEventName, ...DealEventName[]]
const DEFINITIONS = NAMES.map(name => EVENTS[name]) as [DealEventDefinition, ...DealEventDefinition[]]

@Controller()
export class DealEventsConsumer {
  constructor(private readonly dealEvents: DealEventsService) {}

  @OnEvent(DEFINITIONS, { consumer: 'deal-events', batch: true })
  happened(events: readonly HandledEvent<DealEventDefinition>[], { manager }: BatchContext): Promise<void> {
    return this.dealEvents.announce(events, manager)
  }

  @OnEvent(disputeOpened, { consumer: 'disputes-of-deals' })
  disputeOpened(dispute: PayloadOf<typeof disputeOpened>, { event, manager }: OnceContext): Promise<void> {
    return this.dealEvents.recordDispute(dispute, event.occurredAt, manager)
  }

  @OnEvent([disputeProgressed], { consumer: 'dispute-steps', batch: true })
  disputeProgressed(
    events: readonly HandledEvent<typeof disputeProgressed>[],
    { manager }: BatchContext,
  ): Promise<void> {
    return this.dealEvents.announceSteps(events, manager)
  }
}
