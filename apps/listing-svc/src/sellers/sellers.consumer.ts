import { type PayloadOf, userRegistered, userUpdated } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { SellersService } from './sellers.service.js'

@Controller()
export class SellersConsumer {
  constructor(private readonly sellers: SellersService) {}

  @OnEvent([userRegistered, userUpdated], { consumer: 'sellers' })
  keep({ user }: PayloadOf<typeof userUpdated>, { event, manager }: OnceContext): Promise<void> {
    return this.sellers.keep(user, event.occurredAt, manager)
  }
}
