import { PicturesModule } from '@holdfast/pictures/pictures.module'
import { Module, type OnModuleInit } from '@nestjs/common'
import { BankDecisionsRepository } from './bank-decisions.repository.js'
import { BankDecisionsTimer } from './bank-decisions.timer.js'
import { CaseClocksRepository } from './case-clocks.repository.js'
import { CaseClocksTimer } from './case-clocks.timer.js'
import { CasesController } from './cases.controller.js'
import { CasesRepository } from './cases.repository.js'
import { CasesService } from './cases.service.js'
import { checkLife } from './domain/life-check.js'
import { EscrowClient } from './escrow.client.js'
import { EvidenceService } from './evidence.service.js'
import { EvidenceKeysJob } from './evidence-keys.job.js'
import { EvidencePictures } from './evidence-pictures.js'
import { ReturnsRepository } from './returns.repository.js'
import { ReturnsTimer } from './returns.timer.js'
import { SettlementsService } from './settlements.service.js'

/** What happens in a dispute that is open: answers, evidence, settlements, rulings, appeals, returns and their time limits. */
@Module({
  imports: [PicturesModule],
  controllers: [CasesController],
  providers: [
    EscrowClient,
    BankDecisionsRepository,
    BankDecisionsTimer,
    CasesRepository,
    CasesService,
    CaseClocksRepository,
    CaseClocksTimer,
    EvidenceKeysJob,
    EvidencePictures,
    EvidenceService,
    ReturnsRepository,
    ReturnsTimer,
    SettlementsService,
  ],
  exports: [BankDecisionsRepository, EscrowClient, SettlementsService],
})
export class CasesModule implements OnModuleInit {
  onModuleInit(): void {
    checkLife()
  }
}
