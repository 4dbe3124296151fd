import { PicturesModule } from '@holdfast/pictures/pictures.module'
import { Module } from '@nestjs/common'
import { VerificationController } from './verification.controller.js'
import { VerificationService } from './verification.service.js'
import { VerificationDocuments } from './verification-documents.js'
import { VerificationRemovalTimer } from './verification-removal.timer.js'
import { VerificationReviewService } from './verification-review.service.js'

/** Identity verification: what users send, what operators read of it, and its removal. */
@Module({
  imports: [PicturesModule],
  controllers: [VerificationController],
  providers: [VerificationService, VerificationReviewService, VerificationDocuments, VerificationRemovalTimer],
})
export class VerificationModule {}
