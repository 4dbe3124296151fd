import { accountChecked, type PayloadOf } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { ClosingService } from './closing.service.js'

@Controller()
export class ClosingConsumer {
  constructor(private readonly closing: ClosingService) {}

  /** escrow-svc has answered whether an account can be closed. */
  @OnEvent(accountChecked, { consumer: 'closing' })
  end(checked: PayloadOf<typeof accountChecked>, { manager }: OnceContext): Promise<void> {
    return this.closing.end(checked, manager)
  }
}
