import { type PayloadOf, userBlocksChanged } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { BlocksService } from './blocks.service.js'

@Controller()
export class BlocksConsumer {
  constructor(private readonly blocks: BlocksService) {}

  @OnEvent(userBlocksChanged, { consumer: 'blocks' })
  changed(change: PayloadOf<typeof userBlocksChanged>, { manager }: OnceContext): Promise<void> {
    return this.blocks.keep(change, manager)
  }
}
