import { type PayloadOf, picturesChecked, userClosed } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { AccountClosingService } from './closing.service.js'

@Controller()
export class ClosingConsumer {
  constructor(private readonly closing: AccountClosingService) {}

  @OnEvent(userClosed, { consumer: 'account-closed' })
  close(closed: PayloadOf<typeof userClosed>, { manager }: OnceContext): Promise<void> {
    return this.closing.close(closed, manager)
  }

  @OnEvent(picturesChecked, { consumer: 'pictures-checked' })
  checked(checked: PayloadOf<typeof picturesChecked>, { manager }: OnceContext): Promise<void> {
    return this.closing.removePictures(checked, manager)
  }
}
