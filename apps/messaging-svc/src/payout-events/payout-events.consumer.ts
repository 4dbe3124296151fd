import { EVENTS } from '@holdfast/contracts/events'
import { type HandledEvent, type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { NotificationsService } from '../notifications/notifications.service.js'
import { PAYOUT_TEXTS, type PayoutEventName } from './payout-texts.js'

type PayoutEventDefinition = (typeof EVENTS)[PayoutEventName]
type PayoutPayload = HandledEvent<PayoutEventDefinition>['payload']

const NAMES = Object.keys(PAYOUT_TEXTS) as [PayoutEventName, ...PayoutEventName[]]
const DEFINITIONS = NAMES.map(name => EVENTS[name]) as [PayoutEventDefinition, ...PayoutEventDefinition[]]
const NAME_OF_TYPE = new Map<string, PayoutEventName>(NAMES.map(name => [EVENTS[name].type, name]))

/** Notifies sellers of their payouts. */
@Controller()
export class PayoutEventsConsumer {
  constructor(private readonly notifications: NotificationsService) {}

  @OnEvent(DEFINITIONS, { consumer: 'payout-events' })
  happened(payout: PayoutPayload, { event, manager }: OnceContext): Promise<void> {
    const name = NAME_OF_TYPE.get(event.type)!
    const textOf = PAYOUT_TEXTS[name] as (of: PayoutPayload) => { title: string; message: string }
    const facts = { userId: payout.sellerId, type: 'payout', at: new Date(payout.at) } as const
    return this.notifications.add(manager, { ...facts, ...textOf(payout) })
  }
}
