import { Module } from '@nestjs/common'
import { LedgerController } from './ledger.controller.js'
import { LedgerService } from './ledger.service.js'

/** Reads of the ledger. It is written by the commands of deals and payments. */
@Module({ controllers: [LedgerController], providers: [LedgerService], exports: [LedgerService] })
export class LedgerModule {}
