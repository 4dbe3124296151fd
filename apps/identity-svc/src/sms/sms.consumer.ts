import { notificationsToText, type PayloadOf } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { newId } from '@holdfast/kernel/ids'
import { Controller } from '@nestjs/common'
import { pathOf } from '../notification-mails/notification-mail.js'

/** Whether the number is still the profile's is looked at when the text is sent. */
const QUEUE = `
  INSERT INTO sms (id, user_id, number, kind, title, path)
  SELECT n.id, user_id, number, 'news', n.title, n.path
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) n(id, user_id, title, path) JOIN phone USING (user_id)
  WHERE confirmed_at IS NOT NULL AND stopped_at IS NULL`

/** Queues a text for each notification whose user has confirmed a number, in the dbTx of the event. It has the title alone. */
@Controller()
export class SmsConsumer {
  @OnEvent(notificationsToText, { consumer: 'sms' })
  async wanted({ notifications }: PayloadOf<typeof notificationsToText>, { manager }: OnceContext): Promise<void> {
    const columns = [
      notifications.map(() => newId()),
      notifications.map(({ userId }) => userId),
      notifications.map(({ title }) => title),
      notifications.map(pathOf),
    ]
    await manager.query(QUEUE, columns)
  }
}
