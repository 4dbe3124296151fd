import { queueMail } from '@holdfast/mail/queue-mail'
import type { EntityManager } from 'typeorm'
import { forgetOtherDevices } from '../devices/known-devices.service.js'
import { factorMail } from '../second-factor/factor-mail.js'
import { FACTOR_TABLES } from '../second-factor/factor-tables.js'
import { User } from '../users/user.entity.js'

/**
 * Gives an account to the owner of its address, in the dbTx in which they set a new password with a mailed link. While the
 * address is not confirmed, a stranger may have opened the account. The stranger's second factors would keep the owner out for ever, and
 * the stranger could go on to sign in at a provider. Does nothing for a confirmed address. The user's row is locked.
 */
export async function forgetUnprovenSignIns(dbTx: EntityManager, userId: string): Promise<void> {
  const user = await dbTx.findOneByOrFail(User, { id: userId })
  if (user.emailConfirmedAt !== null) return
  await forgetOtherDevices(dbTx, userId, null)
  await dbTx.query('DELETE FROM provider_account WHERE user_id = $1', [userId])
  let count = 0
  for (const table of FACTOR_TABLES) {
    const [, removed]: [unknown, number] = await dbTx.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId])
    count += removed
  }
  if (count > 0) await queueMail(dbTx, factorMail(user, 'unproven_removed'))
}
