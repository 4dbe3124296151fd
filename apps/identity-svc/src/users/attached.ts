/**
 * SQL that deletes what a person has attached to an account: how they sign in, where they are reached, whom they know, and by which documents
 * they were verified. Both an account that is closed and one that is taken over lose it. Blocks are not among it: other
 * services must be told that they end. $1 is the user's id.
 */
export const DETACH: readonly string[] = [
  'DELETE FROM push_subscription WHERE user_id = $1',
  'DELETE FROM sms WHERE user_id = $1',
  'DELETE FROM phone WHERE user_id = $1',
  'DELETE FROM known_devices WHERE user_id = $1',
  'DELETE FROM mailed_token WHERE user_id = $1',
  'DELETE FROM data_export WHERE user_id = $1',
  'DELETE FROM provider_account WHERE user_id = $1',
  'DELETE FROM sign_in_step WHERE user_id = $1',
  'DELETE FROM authenticator_setup WHERE user_id = $1',
  'DELETE FROM authenticator WHERE user_id = $1',
  'DELETE FROM recovery_code WHERE user_id = $1',
  'DELETE FROM passkey WHERE user_id = $1',
  'DELETE FROM contact WHERE owner_id = $1',
  // The timer removes the documents. A review that is open ends.
  `UPDATE verification SET remove_at = now(), reason = NULL,
     decided_at = coalesce(decided_at, now()), state = CASE WHEN state = 'approved' THEN state ELSE 'rejected' END
   WHERE user_id = $1`,
]

/** The columns of a user that say what a person has attached, without anything in them. */
export const DETACHED = {
  phoneNumber: null,
  avatar: null,
  profileImageUrl: null,
  verificationStatus: 'pending' as const,
  verificationReason: null,
}
