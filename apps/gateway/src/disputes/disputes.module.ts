import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { DisputesController } from './disputes.controller.js'
import { EvidencePictures } from './evidence-pictures.js'

/** The case of a dispute with the profiles of its parties, and the pictures of its evidence. */
@Module({
  imports: [ServicesModule, PeopleModule],
  controllers: [DisputesController],
  providers: [EvidencePictures],
})
export class DisputesModule {}
