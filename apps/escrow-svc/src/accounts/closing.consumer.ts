import { type PayloadOf, userClosed, userClosing, userClosingRefused } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { AccountClosingService } from './closing.service.js'

@Controller()
export class ClosingConsumer {
  constructor(private readonly closing: AccountClosingService) {}

  @OnEvent(userClosing, { consumer: 'account-closing' })
  check(closing: PayloadOf<typeof userClosing>, { manager }: OnceContext): Promise<void> {
    return this.closing.check(closing, manager)
  }

  @OnEvent(userClosingRefused, { consumer: 'account-closing-refused' })
  forget(closing: PayloadOf<typeof userClosingRefused>, { manager }: OnceContext): Promise<void> {
    return this.closing.forget(closing, manager)
  }

  @OnEvent(userClosed, { consumer: 'account-closed' })
  close(closed: PayloadOf<typeof userClosed>, { manager }: OnceContext): Promise<void> {
    return this.closing.close(closed, manager)
  }
}
