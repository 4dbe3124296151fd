import { Module } from '@nestjs/common'
import { BlocksConsumer } from './blocks.consumer.js'
import { BlocksService } from './blocks.service.js'

/** Who has blocked whom. A blocked person cannot write to the blocker about a deal that has ended. */
@Module({ controllers: [BlocksConsumer], providers: [BlocksService], exports: [BlocksService] })
export class BlocksModule {}
