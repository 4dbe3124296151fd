import { personalDataModule } from '@holdfast/service-kit/personal-data/personal-data.module'
import { Module } from '@nestjs/common'
import { SessionsModule } from '../sessions/sessions.module.js'
import { AccountController } from './account.controller.js'
import { ClosingConsumer } from './closing.consumer.js'
import { ClosingService } from './closing.service.js'
import { ClosingTimer } from './closing.timer.js'
import { ClosingMails } from './closing-mails.js'
import { ExportsService } from './exports.service.js'
import { PARTS } from './personal-data.js'
import { ProofModule } from './proof.module.js'

/** Closing an account and erasing its person, and the export of what is kept about a user. */
@Module({
  imports: [ProofModule, SessionsModule, personalDataModule(PARTS)],
  controllers: [AccountController, ClosingConsumer],
  providers: [ClosingService, ClosingTimer, ClosingMails, ExportsService],
})
export class AccountModule {}
