import type { Queryable } from '@holdfast/service-kit/database/queryable'

const ERASE = [
  // From then on no notification is added.
  'INSERT INTO closed_user (user_id) VALUES ($1) ON CONFLICT DO NOTHING',
  'DELETE FROM notifications WHERE user_id = $1',
  'DELETE FROM notification_settings WHERE user_id = $1',
  'DELETE FROM read_marks WHERE user_id = $1',
  'DELETE FROM block WHERE blocker_id = $1 OR blocked_id = $1',
]

/**
 * Erases what only a user of a closed account had. What they wrote in chats stays for the other party, who is shown no name: a
 * transaction can be disputed by a bank long after it has ended.
 */
export async function eraseUser(dbTx: Queryable, userId: string): Promise<void> {
  for (const statement of ERASE) await dbTx.query(statement, [userId])
}
