import { Module } from '@nestjs/common'
import { EnquiriesController } from './enquiries.controller.js'
import { EnquiriesService } from './enquiries.service.js'
import { EnquiryMails } from './enquiry-mails.js'

/** What people write to us. */
@Module({ controllers: [EnquiriesController], providers: [EnquiriesService, EnquiryMails] })
export class EnquiriesModule {}
