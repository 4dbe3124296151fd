import { Module } from '@nestjs/common'
import { AccountsController } from './accounts.controller.js'

/** What is kept about a user, and what of disputes stands in the way of closing an account. */
@Module({ controllers: [AccountsController] })
export class AccountsModule {}
