import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { Notification } from './notification.entity.js'
import { NotificationSettingsService } from './notification-settings.service.js'
import { NotificationsController } from './notifications.controller.js'
import { NotificationsService } from './notifications.service.js'
import { PassOnJob } from './pass-on-job.js'

/** Notifications of users, and whether they were read. */
@Module({
  imports: [TypeOrmModule.forFeature([Notification])],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationSettingsService, PassOnJob],
  exports: [NotificationsService],
})
export class NotificationsModule {}
