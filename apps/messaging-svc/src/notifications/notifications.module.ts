import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { MailJob } from './mail-job.js'
import { Notification } from './notification.entity.js'
import { NotificationSettingsService } from './notification-settings.service.js'
import { NotificationsController } from './notifications.controller.js'
import { NotificationsService } from './notifications.service.js'
import { PushJob } from './push-job.js'
import { SmsJob } from './sms-job.js'

/** Notifications of users, and whether they were read. */
@Module({
  imports: [TypeOrmModule.forFeature([Notification])],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationSettingsService, MailJob, PushJob, SmsJob],
  exports: [NotificationsService],
})
export class NotificationsModule {}
