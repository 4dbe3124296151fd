import { messageRoutes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { onlyChanged } from '@holdfast/kernel/changes'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { NotificationSettingsService } from './notification-settings.service.js'
import { NotificationsService } from './notifications.service.js'

type List = typeof messageRoutes.listNotifications

@Controller()
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly settings: NotificationSettingsService,
  ) {}

  @Route(messageRoutes.listNotifications)
  list({ query }: Parsed<List>, { actor }: Ctx<List>) {
    return this.notifications.list(actor.id, query.limit)
  }

  @Route(messageRoutes.getUnreadNotifications)
  async unread(_: unknown, { actor }: Ctx<typeof messageRoutes.getUnreadNotifications>) {
    return { unread: await this.notifications.countUnread(actor.id) }
  }

  @Route(messageRoutes.getNotificationSettings)
  getSettings(_: unknown, { actor }: Ctx<typeof messageRoutes.getNotificationSettings>) {
    return this.settings.get(actor.id)
  }

  @Route(messageRoutes.changeNotificationSettings)
  changeSettings(
    { body }: Parsed<typeof messageRoutes.changeNotificationSettings>,
    { actor }: Ctx<typeof messageRoutes.changeNotificationSettings>,
  ) {
    const { changed, ...settings } = body
    return this.settings.set(actor.id, onlyChanged(settings, changed))
  }

  @Route(messageRoutes.readNotifications)
  readAll(_: unknown, { actor }: Ctx<typeof messageRoutes.readNotifications>) {
    return this.notifications.readAll(actor.id)
  }
}
