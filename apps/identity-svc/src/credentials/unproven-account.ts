import { queueMail } from '@holdfast/mail/queue-mail'
import type { EntityManager } from 'typeorm'
import { endBlocks } from '../blocks/publish-blocks.js'
import { factorMail } from '../second-factor/factor-mail.js'
import { DETACH, DETACHED } from '../users/attached.js'
import { User } from '../users/user.entity.js'

/**
 * Gives an account to the owner of its address, in the dbTx in which they set a new password with a mailed link. While the address is not
 * confirmed, another person may have opened the account. So what was attached to it until now is removed here, and the other services remove
 * their part when they read of it in the event that publishes the confirmed address (ADR 150). Does nothing for a confirmed address. The
 * user's row is locked.
 */
export async function takeOverUnproven(dbTx: EntityManager, userId: string): Promise<void> {
  const user = await dbTx.findOneByOrFail(User, { id: userId })
  if (user.emailConfirmedAt !== null) return
  for (const statement of DETACH) await dbTx.query(statement, [userId])
  await endBlocks(dbTx, userId)
  await dbTx.update(User, userId, { ...DETACHED, takenOverAt: () => 'clock_timestamp()' })
  await queueMail(dbTx, factorMail(user, 'taken_over'))
}
