import { type PayloadOf, userSuspensionChanged } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { SuspensionsService } from './suspensions.service.js'

@Controller()
export class SuspensionsConsumer {
  constructor(private readonly suspensions: SuspensionsService) {}

  @OnEvent(userSuspensionChanged, { consumer: 'suspensions' })
  keep(change: PayloadOf<typeof userSuspensionChanged>, { manager }: OnceContext): Promise<void> {
    return this.suspensions.keep(change, manager)
  }
}
