import { notificationsToPush } from '@holdfast/contracts/events'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { PassOnJob } from './pass-on-job.js'

/** Shorter than for a mail: a push message is of use while its sender still waits. */
export const PUSH_MESSAGE_AFTER_SECONDS = 10

/** Passes notifications on to be sent to browsers. */
@Injectable()
export class PushJob extends PassOnJob {
  constructor(dataSource: DataSource, clock: Clock) {
    super(dataSource, clock, {
      pending: 'push_pending',
      unreadMessageSeconds: PUSH_MESSAGE_AFTER_SECONDS,
      setting: 'pushNotifications',
      event: notificationsToPush,
      failure: 'notifications could not be passed on to be sent to browsers',
    })
  }
}
