import { userClosed, userUpdated } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { assert } from '@holdfast/kernel/assert'
import { CLOSED_USER_NAME, CLOSED_USERNAME_PREFIX } from '@holdfast/kernel/closed-username'
import { queueMail } from '@holdfast/mail/queue-mail'
import type { EntityManager } from 'typeorm'
import { DETACH, DETACHED } from '../users/attached.js'
import { User, viewOf } from '../users/user.entity.js'
import { CLOSED } from './closing-mails.js'
import { IS_OWN_ENQUIRY, IS_OWN_MAIL } from './own-address.js'

/** No hash: no password matches it. */
const NO_PASSWORD = 'none'
const ERASED = 'Erased, because the account was closed.'

/** Deletes what the tables keep about the person. The acts of operators stay. $1 is the user's id. */
const ERASE: readonly string[] = [
  ...DETACH,
  'DELETE FROM sessions WHERE user_id = $1',
  // Other services end them when they read that the account is closed.
  'DELETE FROM blocks WHERE blocker_id = $1 OR blocked_id = $1',
  `DELETE FROM mail WHERE ${IS_OWN_MAIL}`,
  `UPDATE enquiry SET name = '${CLOSED_USER_NAME}', email = $1::uuid || '@closed.invalid', subject = '${ERASED}', message = '${ERASED}',
     facts = '{}', answer = CASE WHEN answer IS NOT NULL THEN '${ERASED}' END,
     state = CASE state WHEN 'open' THEN 'closed' ELSE state END
   WHERE ${IS_OWN_ENQUIRY}`,
]

/**
 * Erases the person of an account in the dbTx that closes it, and publishes that it is closed. The row stays under its id with a
 * pseudonym: deals, reviews and messages of other people refer to it. A trigger keeps the username from others. The last mail goes to the
 * address that is erased.
 *
 * @param user locked; its `closingId` is that of this closing
 */
export async function eraseUser(dbTx: EntityManager, user: User, now: Date): Promise<void> {
  const { id, email, closingId } = user
  assert(closingId, 'an account that is closed has the id of the attempt')
  for (const statement of ERASE) await dbTx.query(statement, [id])
  const erased = {
    email: `${id}@closed.invalid`,
    emailConfirmedAt: null,
    username: `${CLOSED_USERNAME_PREFIX}${id.replaceAll('-', '')}`,
    passwordHash: NO_PASSWORD,
    firstName: CLOSED_USER_NAME,
    lastName: '',
    ...DETACHED,
    closingNextAt: null,
    closedAt: now,
  }
  await dbTx.update(User, id, erased)
  const payload = { userId: id, closingId, at: now.toISOString() }
  await appendToOutbox(
    dbTx,
    newEvent(userUpdated, id, { user: viewOf({ ...user, ...erased }) }, now),
    newEvent(userClosed, id, payload, now),
  )
  await queueMail(dbTx, { kind: CLOSED, recipient: email, data: {} })
}
