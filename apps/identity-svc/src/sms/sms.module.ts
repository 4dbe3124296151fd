import { Module } from '@nestjs/common'
import { PhonesService } from './phones.service.js'
import { SmsConsumer } from './sms.consumer.js'
import { SmsController } from './sms.controller.js'
import { SmsCleanup } from './sms-cleanup.js'
import { SmsLimits } from './sms-limits.js'
import { SmsReportsService } from './sms-reports.service.js'
import { SmsSender } from './sms-sender.js'

/** Texts to phone numbers that users have confirmed. */
@Module({
  controllers: [SmsController, SmsConsumer],
  providers: [PhonesService, SmsLimits, SmsSender, SmsReportsService, SmsCleanup],
})
export class SmsModule {}
