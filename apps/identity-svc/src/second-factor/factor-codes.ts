import { invalidFields } from '@holdfast/kernel/errors'
import { isAppCode, RECOVERY_CODES } from '@holdfast/kernel/second-factors'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { stepOf } from './app-codes.js'
import { AuthenticatorSecrets, type SealedSecret } from './authenticator-secrets.js'
import { FactorMails } from './factor-mails.js'
import { hashOfRecoveryCode, newRecoveryCode } from './recovery-codes.js'

const WRONG_APP_CODE =
  'This code is not right, or was used already. Wait for the next code in your app. If it goes on, set the time of your phone automatically.'
const WRONG_RECOVERY_CODE = 'This is none of your recovery codes, or it was used already.'

/** Uses codes: those of the authenticator app, and recovery codes. Each can be used once. */
@Injectable()
export class FactorCodes {
  constructor(
    private readonly secrets: AuthenticatorSecrets,
    private readonly mails: FactorMails,
  ) {}

  /**
   * Uses a code in a dbTx. The database's time decides which codes of an app are valid, and the row of the app records which were used. So
   * all replicas agree, and of two uses at the same moment one is refused.
   *
   * @throws DomainError `VALIDATION_FAILED` for a wrong or used code
   */
  async use(dbTx: EntityManager, userId: string, typed: string): Promise<void> {
    const [isRight, refusal] = isAppCode(typed)
      ? [await this.#useAppCode(dbTx, userId, typed), WRONG_APP_CODE]
      : [await this.#useRecoveryCode(dbTx, userId, typed), WRONG_RECOVERY_CODE]
    if (!isRight) throw invalidFields({ code: refusal })
  }

  /** Makes a new set of recovery codes in a dbTx. The old ones end. @returns the codes, which are stored as hashes only */
  async renewRecoveryCodes(dbTx: EntityManager, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    await dbTx.query('DELETE FROM recovery_code WHERE user_id = $1', [userId])
    await dbTx.query('INSERT INTO recovery_code (user_id, code_hash) SELECT $1, unnest($2::bytea[])', [
      userId,
      codes.map(code => hashOfRecoveryCode(code, userId)),
    ])
    return codes
  }

  async #useAppCode(dbTx: EntityManager, userId: string, typed: string): Promise<boolean> {
    const [row]: SealedSecret[] = await dbTx.query(
      'SELECT sealed, key_id AS "keyId", wrapped_key AS "wrappedKey" FROM authenticator WHERE user_id = $1',
      [userId],
    )
    if (!row) return false
    const step = stepOf(typed, this.secrets.open(row, userId), await databaseTime(dbTx))
    if (step === null) return false
    const [, used]: [unknown, number] = await dbTx.query(
      // A new secret replaces the row, and a code of the old one must not count for it.
      'UPDATE authenticator SET last_step = $2 WHERE user_id = $1 AND last_step < $2 AND sealed = $3',
      [userId, step, row.sealed],
    )
    return used === 1
  }

  async #useRecoveryCode(dbTx: EntityManager, userId: string, typed: string): Promise<boolean> {
    const [, used]: [unknown, number] = await dbTx.query(
      `UPDATE recovery_code SET used_at = clock_timestamp() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL`,
      [userId, hashOfRecoveryCode(typed, userId)],
    )
    if (used === 1) await this.mails.queue(dbTx, userId, 'recovery_code_used')
    return used === 1
  }
}
