import { type PayloadOf, userRegistered, userUpdated } from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { SellersService } from './sellers.service.js'

@Controller()
export class SellersConsumer {
  constructor(private readonly sellers: SellersService) {}

  @OnEvent<typeof userRegistered | typeof userUpdated>(userRegistered, userUpdated)
  learn({ user }: PayloadOf<typeof userUpdated>, context: EventContext) {
    return this.sellers.learn(user, context)
  }
}
