import { Module } from '@nestjs/common'
import { EnquiriesController } from './enquiries.controller.js'
import { EnquiriesService } from './enquiries.service.js'
import { EnquiriesCleanup } from './enquiries-cleanup.js'
import { EnquiryMails } from './enquiry-mails.js'

/** What people write to us. */
@Module({ controllers: [EnquiriesController], providers: [EnquiriesService, EnquiryMails, EnquiriesCleanup] })
export class EnquiriesModule {}
