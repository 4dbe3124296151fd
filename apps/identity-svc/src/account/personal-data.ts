import type { PersonalDataPart } from '@holdfast/contracts/personal-data'
import type { PartStatement } from '@holdfast/service-kit/personal-data/read-part'
import { IS_OWN_ENQUIRY, IS_OWN_MAIL } from './own-address.js'

/** Another user as everybody sees them. */
const PERSON = `jsonb_build_object('id', u.id, 'username', u.username, 'firstName', u.first_name, 'lastName', u.last_name)`

/**
 * What identity-svc keeps about a user, without passwords, tokens, hashes and keys. It says whether identity documents are kept, but does
 * not contain them: they are encrypted, and removed after the review.
 */
export const PARTS: Readonly<Record<PersonalDataPart<'identity-svc'>, PartStatement>> = {
  account: `
    SELECT id::text AS cursor, jsonb_build_object('id', id, 'email', email, 'emailConfirmedAt', email_confirmed_at, 'emailChangedAt', email_changed_at,
      'username', username, 'firstName', first_name, 'lastName', last_name, 'phoneNumber', phone_number, 'avatar', avatar,
      'profileImageUrl', profile_image_url, 'verificationStatus', verification_status, 'verificationReason', verification_reason,
      'role', role, 'plan', plan, 'rating', rating, 'ratingCount', rating_count, 'completedTransactions', total_transactions,
      'createdAt', created_at) AS item
    FROM users WHERE id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  sessions: `
    SELECT id::text AS cursor, jsonb_build_object('id', id, 'createdAt', created_at, 'expiresAt', expires_at,
      'endedAt', revoked_at, 'address', client_ip, 'browser', user_agent) AS item
    FROM sessions WHERE user_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  knownBrowsers: `
    SELECT extract(epoch FROM used_at)::text AS cursor, jsonb_build_object('usedAt', used_at) AS item
    FROM known_devices WHERE user_id = $1 AND ($2::numeric IS NULL OR extract(epoch FROM used_at) > $2)
    ORDER BY used_at LIMIT $3`,
  providerSignIns: `
    SELECT issuer || ' ' || subject AS cursor, jsonb_build_object('issuer', issuer, 'subject', subject, 'linkedAt', linked_at) AS item
    FROM provider_account WHERE user_id = $1 AND ($2::text IS NULL OR issuer || ' ' || subject > $2) ORDER BY 1 LIMIT $3`,
  secondFactors: `
    SELECT cursor, item FROM (
      SELECT 'authenticator' AS cursor, jsonb_build_object('kind', 'authenticator', 'addedAt', added_at) AS item
      FROM authenticator WHERE user_id = $1
      UNION ALL
      SELECT 'passkey ' || id, jsonb_build_object('kind', 'passkey', 'name', name, 'addedAt', added_at, 'usedAt', used_at)
      FROM passkey WHERE user_id = $1
      UNION ALL
      SELECT 'recovery codes', jsonb_build_object('kind', 'recovery_codes', 'left', count(*) FILTER (WHERE used_at IS NULL))
      FROM recovery_code WHERE user_id = $1 HAVING count(*) > 0
    ) f WHERE $2::text IS NULL OR cursor > $2 ORDER BY cursor LIMIT $3`,
  contacts: `
    SELECT u.id::text AS cursor, ${PERSON} || jsonb_build_object('addedAt', c.added_at) AS item
    FROM contact c JOIN users u ON u.id = c.user_id
    WHERE c.owner_id = $1 AND ($2::uuid IS NULL OR u.id > $2) ORDER BY u.id LIMIT $3`,
  blockedPeople: `
    SELECT u.id::text AS cursor, ${PERSON} || jsonb_build_object('blockedAt', b.created_at) AS item
    FROM blocks b JOIN users u ON u.id = b.blocked_id
    WHERE b.blocker_id = $1 AND ($2::uuid IS NULL OR u.id > $2) ORDER BY u.id LIMIT $3`,
  identityVerifications: `
    SELECT id::text AS cursor, jsonb_build_object('id', id, 'state', state, 'submittedAt', submitted_at, 'decidedAt', decided_at,
      'reason', reason, 'documentsKept', wrapped_key IS NOT NULL) AS item
    FROM verification WHERE user_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  enquiries: `
    SELECT id::text AS cursor, jsonb_build_object('number', number, 'kind', kind, 'state', state, 'name', name,
      'email', email, 'subject', subject, 'message', message, 'facts', facts, 'createdAt', created_at,
      'answer', answer, 'answeredAt', answered_at) AS item
    FROM enquiry WHERE ${IS_OWN_ENQUIRY} AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  mails: `
    SELECT id::text AS cursor, jsonb_build_object('kind', kind, 'recipient', recipient, 'queuedAt', created_at,
      'endedAt', ended_at, 'outcome', outcome) AS item
    FROM mail WHERE ${IS_OWN_MAIL} AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  phones: `
    SELECT user_id::text AS cursor, jsonb_build_object('number', number, 'confirmedAt', confirmed_at, 'stoppedAt', stopped_at) AS item
    FROM phone WHERE user_id = $1 AND ($2::uuid IS NULL OR user_id > $2) LIMIT $3`,
  texts: `
    SELECT id::text AS cursor, jsonb_build_object('kind', kind, 'number', number, 'queuedAt', created_at, 'endedAt', ended_at,
      'outcome', outcome) AS item
    FROM sms WHERE user_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  pushBrowsers: `
    SELECT id::text AS cursor, jsonb_build_object('since', created_at, 'sessionId', session_id) AS item
    FROM push_subscription WHERE user_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  actsOfAdmins: `
    SELECT id::text AS cursor, jsonb_build_object('act', act, 'at', at, 'before', before, 'after', after) AS item
    FROM admin_act WHERE subject = 'user:' || $1::uuid::text AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
}
