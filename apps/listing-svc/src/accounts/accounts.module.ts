import { PicturesModule } from '@holdfast/pictures/pictures.module'
import { personalDataModule } from '@holdfast/service-kit/personal-data/personal-data.module'
import { Module } from '@nestjs/common'
import { ClosingConsumer } from './closing.consumer.js'
import { AccountClosingService } from './closing.service.js'
import { PARTS } from './personal-data.js'
import { PictureRemovalTimer } from './picture-removal.timer.js'

/** What is kept about a user, and what happens to it when their account is closed. */
@Module({
  imports: [PicturesModule, personalDataModule(PARTS)],
  controllers: [ClosingConsumer],
  providers: [AccountClosingService, PictureRemovalTimer],
})
export class AccountsModule {}
