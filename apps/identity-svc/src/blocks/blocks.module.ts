import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { User } from '../users/user.entity.js'
import { Block } from './block.entity.js'
import { BlocksController } from './blocks.controller.js'
import { BlocksService } from './blocks.service.js'

/** Blocked users. */
@Module({
  imports: [TypeOrmModule.forFeature([Block, User])],
  controllers: [BlocksController],
  providers: [BlocksService],
})
export class BlocksModule {}
