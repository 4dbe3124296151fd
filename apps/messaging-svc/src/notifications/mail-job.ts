import { notificationsToMail } from '@holdfast/contracts/events'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { PassOnJob } from './pass-on-job.js'

export const UNREAD_MESSAGE_SECONDS = 120

/** Passes notifications on to be mailed. */
@Injectable()
export class MailJob extends PassOnJob {
  constructor(dataSource: DataSource, clock: Clock) {
    super(dataSource, clock, {
      pending: 'mail_pending',
      unreadMessageSeconds: UNREAD_MESSAGE_SECONDS,
      setting: 'emailNotifications',
      event: notificationsToMail,
      failure: 'notifications could not be passed on to be mailed',
    })
  }
}
