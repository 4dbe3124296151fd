import { notificationsToText, type PayloadOf } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { newId } from '@holdfast/kernel/ids'
import { Controller } from '@nestjs/common'
import { pathOf } from '../notification-mails/notification-mail.js'

/** Whether the number is still the profile's is looked at when the text is sent. */
const QUEUE = `
  INSERT INTO sms (id, user_id, number, kind, title, path)
  SELECT $1, user_id, number, 'news', $3, $4 FROM phone WHERE user_id = $2 AND confirmed_at IS NOT NULL AND stopped_at IS NULL`

/** Queues a text for each notification whose user has confirmed a number, in the dbTx of the event. It has the title alone. */
@Controller()
export class SmsConsumer {
  @OnEvent(notificationsToText, { consumer: 'sms' })
  async wanted({ notifications }: PayloadOf<typeof notificationsToText>, { manager }: OnceContext): Promise<void> {
    for (const notification of notifications)
      await manager.query(QUEUE, [newId(), notification.userId, notification.title, pathOf(notification)])
  }
}
