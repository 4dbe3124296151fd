import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { AccountsController } from './accounts.controller.js'
import { PersonalDataService } from './personal-data.service.js'

/** What is kept about a user, and what happens to it when their account is closed. */
@Module({ imports: [DealsModule], controllers: [AccountsController], providers: [PersonalDataService] })
export class AccountsModule {}
