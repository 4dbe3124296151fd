import type { notificationsToPush, PayloadOf } from '@holdfast/contracts/events'
import { newId } from '@holdfast/kernel/ids'
import type { EntityManager } from 'typeorm'
import { pathOf } from '../notification-mails/notification-mail.js'

type Notification = PayloadOf<typeof notificationsToPush>['notifications'][number]

/**
 * A message that waits and has the same subject is replaced; of several that come together, the last one stays. It gets another id, so
 * that an attempt that is under way does not end the new one.
 */
const QUEUE = `
  INSERT INTO push_message (id, subscription_id, tag, title, path)
  SELECT DISTINCT ON (p.id, n.tag) gen_random_uuid(), p.id, n.tag, n.title, n.path
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY n(user_id, tag, title, path, nth)
    JOIN push_subscription p USING (user_id) JOIN sessions s ON s.id = p.session_id
  WHERE s.revoked_at IS NULL AND s.expires_at > now()
  ORDER BY p.id, n.tag, n.nth DESC
  ON CONFLICT (subscription_id, tag) DO UPDATE SET id = excluded.id, title = excluded.title, path = excluded.path,
    created_at = now(), due_at = now(), attempts = 0, last_error = NULL`

/** Queues a push message of each notification for each browser of its user, in the dbTx of the event. It has the title alone. */
export async function queuePush(dbTx: EntityManager, notifications: readonly Notification[]): Promise<void> {
  const columns = [
    notifications.map(({ userId }) => userId),
    notifications.map(tagOf),
    notifications.map(({ title }) => title),
    notifications.map(pathOf),
  ]
  await dbTx.query(QUEUE, columns)
}

/** What replaces each other on the screen: the news of a deal, and the messages of its chat. News without a deal stay apart. */
const tagOf = ({ type, transactionId }: Notification): string =>
  transactionId === null ? newId() : `${type === 'message' ? 'chat' : 'deal'}:${transactionId}`
