import { Module } from '@nestjs/common'
import { ListingsModule } from '../listings/listings.module.js'
import { AcceptanceService } from './acceptance.service.js'
import { InvitationMails } from './invitation-mails.js'
import { InvitationsController } from './invitations.controller.js'
import { InvitationsService } from './invitations.service.js'

/** Invitations to private listings. */
@Module({
  imports: [ListingsModule],
  controllers: [InvitationsController],
  providers: [InvitationsService, AcceptanceService, InvitationMails],
})
export class InvitationsModule {}
