import { EVENTS, type PayloadOf } from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { DealEventsService } from './deal-events.service.js'
import { DEAL_TEXTS, type DealEventName } from './deal-texts.js'

type DealEventDefinition = (typeof EVENTS)[DealEventName]

const NAMES = Object.keys(DEAL_TEXTS) as [DealEventName, ...DealEventName[]]
const DEFINITIONS = NAMES.map(name => EVENTS[name]) as [DealEventDefinition, ...DealEventDefinition[]]
const NAME_OF_TYPE = new Map<string, DealEventName>(NAMES.map(name => [EVENTS[name].type, name]))

@Controller()
export class DealEventsConsumer {
  constructor(private readonly dealEvents: DealEventsService) {}

  @OnEvent(...DEFINITIONS)
  async happened(deal: PayloadOf<DealEventDefinition>, { event }: EventContext) {
    await this.dealEvents.tell(NAME_OF_TYPE.get(event.type)!, deal, event)
  }
}
