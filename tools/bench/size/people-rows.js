// People with their sessions, in every service that keeps something of them.
import { personId } from '../prepare.js'
import { FIRST_TRADER, tradersFor } from './numbers.js'

const series = count => `generate_series(0, ${FIRST_TRADER + tradersFor(count) - 1}) i`

export const PEOPLE_ROWS = [
  count => `INSERT INTO identity.users (id, email, username, password_hash, first_name, last_name, created_at, email_confirmed_at)
    SELECT ${personId('i')}, 'p' || i || '@bench.test', 'bench' || i, '-', 'Bench', 'Person', now() - interval '3 years', now() - interval '3 years' FROM ${series(count)}`,
  count => `INSERT INTO identity.sessions (id, user_id, token_hash, created_at, expires_at)
    SELECT ${personId('i')}, ${personId('i')}, sha256(('bench-session-' || lpad(i::text, 29, '0'))::bytea), now(), now() + interval '30 days'
    FROM ${series(count)}`,
  count => `INSERT INTO listing.seller (id, first_name, last_name, username, is_verified, known_at)
    SELECT ${personId('i')}, 'Bench', 'Person', 'bench' || i, true, now() FROM ${series(count)}`,
  // The money commands would leave thousands of mails, which would be sent while something else is measured.
  () => `INSERT INTO messaging.notification_settings (user_id, settings)
    SELECT ${personId('i')}, '{"emailNotifications": false}' FROM generate_series(0, ${FIRST_TRADER - 1}) i`,
]
