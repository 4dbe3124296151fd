import { personalDataModule } from '@holdfast/service-kit/personal-data/personal-data.module'
import { Module } from '@nestjs/common'
import { AccountsController } from './accounts.controller.js'
import { PARTS } from './personal-data.js'

/** What is kept about a user, and what of disputes stands in the way of closing an account. */
@Module({ imports: [personalDataModule(PARTS)], controllers: [AccountsController] })
export class AccountsModule {}
