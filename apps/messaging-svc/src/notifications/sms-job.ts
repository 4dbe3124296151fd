import { notificationsToText } from '@holdfast/contracts/events'
import { TEXTED_TYPES } from '@holdfast/kernel/sms'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { PassOnJob } from './pass-on-job.js'

/** Passes important notifications on to be texted. */
@Injectable()
export class SmsJob extends PassOnJob {
  constructor(dataSource: DataSource, clock: Clock) {
    super(dataSource, clock, {
      pending: 'sms_pending',
      // Messages are not texted, and need not wait until it is known whether they are read.
      unreadMessageSeconds: 0,
      setting: 'smsNotifications',
      types: TEXTED_TYPES,
      event: notificationsToText,
      failure: 'notifications could not be passed on to be texted',
    })
  }
}
