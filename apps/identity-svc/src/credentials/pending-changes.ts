import type { Queryable } from '@holdfast/service-kit/database/queryable'

/**
 * Ends, in a dbTx, what an attacker who knows the user's password may have begun: sign-ins between their two steps, and links to other e-mail
 * addresses, also those whose mail is not sent yet. Called where all sessions end because one of them may be a stranger's. The password stays.
 */
export async function endPendingChanges(dbTx: Queryable, userId: string): Promise<void> {
  // A step and a mail that waits know the version for which they were made.
  await dbTx.query('UPDATE users SET password_version = password_version + 1 WHERE id = $1', [userId])
  await dbTx.query(`DELETE FROM mailed_token WHERE user_id = $1 AND purpose = 'change_email'`, [userId])
}
