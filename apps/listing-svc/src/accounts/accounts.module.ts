import { PicturesModule } from '@holdfast/pictures/pictures.module'
import { Module } from '@nestjs/common'
import { AccountsController } from './accounts.controller.js'
import { ClosingConsumer } from './closing.consumer.js'
import { AccountClosingService } from './closing.service.js'
import { PictureRemovalTimer } from './picture-removal.timer.js'

/** What is kept about a user, and what happens to it when their account is closed. */
@Module({
  imports: [PicturesModule],
  controllers: [AccountsController, ClosingConsumer],
  providers: [AccountClosingService, PictureRemovalTimer],
})
export class AccountsModule {}
