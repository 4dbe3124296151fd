import { randomInt } from 'node:crypto'
import type { Phone } from '@holdfast/contracts/phone'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { e164Of, MAX_WRONG_SMS_CODES, SMS_CODE_DIGITS, SMS_CODE_MINUTES } from '@holdfast/kernel/sms'
import { hashOfToken } from '@holdfast/service-kit/auth/secret-token'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { accountOf, isTextable } from './sms-config.js'
import { SmsLimits } from './sms-limits.js'

const FIND = `
  SELECT u.phone_number AS "phoneNumber", p.number, p.confirmed_at IS NOT NULL AS "isConfirmed", p.stopped_at IS NOT NULL AS "isStopped"
  FROM users u LEFT JOIN phone p ON p.user_id = u.id WHERE u.id = $1`
/** Stores the number of the profile as unconfirmed. A row with the same number stays as it is. */
const KEEP_NUMBER = `
  INSERT INTO phone (user_id, number) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET number = excluded.number, code_hash = NULL, code_expires_at = NULL, wrong_codes = 0,
    confirmed_at = NULL, stopped_at = NULL WHERE phone.number <> excluded.number`
const QUEUE_CODE = `INSERT INTO sms (id, user_id, number, kind) VALUES ($1, $2, $3, 'code')`
const KEEP_CODE = `
  UPDATE phone SET code_hash = $3, code_expires_at = now() + $4 * interval '1 minute', wrong_codes = 0
  WHERE user_id = $1 AND number = $2`
/** A guess is counted before it is checked, so that many guesses at once cannot all pass as the first. */
const COUNT_GUESS = `
  UPDATE phone SET wrong_codes = wrong_codes + 1
  WHERE user_id = $1 AND number = $2 AND code_expires_at > now() AND wrong_codes < $3 RETURNING code_hash AS hash`
const CONFIRM = `
  UPDATE phone SET confirmed_at = now(), stopped_at = NULL, code_hash = NULL, code_expires_at = NULL, wrong_codes = 0
  WHERE user_id = $1 AND code_hash = $2`

interface PhoneRow {
  readonly phoneNumber: string | null
  /** The number for which the other columns hold. */
  readonly number: string | null
  readonly isConfirmed: boolean | null
  readonly isStopped: boolean | null
}

/** The phone numbers of users, and whether they have confirmed them. A number that is changed in the profile is unconfirmed again. */
@Injectable()
export class PhonesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly limits: SmsLimits,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  async get(userId: string): Promise<Phone> {
    const [row]: PhoneRow[] = await this.dataSource.query(FIND, [userId])
    const number = e164Of(row?.phoneNumber ?? null)
    const isSame = number !== null && row?.number === number
    return {
      isOffered: accountOf(this.config) !== null,
      number,
      isConfirmed: isSame && row.isConfirmed === true,
      isStopped: isSame && row.isStopped === true,
    }
  }

  /**
   * Queues a text with a code to the number of the profile. Does nothing when it is confirmed.
   *
   * @throws DomainError `VALIDATION_FAILED` without a number with a country code, and for a number to which no texts are sent;
   * `EMAIL_NOT_CONFIRMED`; `RATE_LIMITED`; `UNAVAILABLE` when texts are not offered
   */
  async sendCode(userId: string, clientIp: string | null): Promise<void> {
    const { isOffered, number, isConfirmed, isStopped } = await this.get(userId)
    if (!isOffered) throw new DomainError('UNAVAILABLE')
    if (number === null)
      throw invalidFields({ phoneNumber: 'Save a phone number with its country code first, such as +1 555 010 0100' })
    if (!isTextable(this.config, number))
      throw invalidFields({ phoneNumber: 'We do not send texts to numbers of this country' })
    if (isConfirmed && !isStopped) return
    // Programs open accounts to have texts sent. A confirmed e-mail address makes that cost more than a text earns.
    if (!(await this.#hasConfirmedAddress(userId))) throw new DomainError('EMAIL_NOT_CONFIRMED')
    await this.limits.requireCode(this.dataSource, userId, number)
    await this.limits.countFrom(clientIp)
    await this.dataSource.transaction(async dbTx => {
      // This locks the user's row. So requests at the same time are counted one after another.
      await dbTx.query(KEEP_NUMBER, [userId, number])
      await this.limits.lockNumber(dbTx, number)
      await this.limits.requireCode(dbTx, userId, number)
      await dbTx.query(QUEUE_CODE, [newId(), userId, number])
    })
  }

  /** Makes a code for a number, at the moment when it is texted. Only its hash is stored. Null when the user has another number now. */
  async makeCode(userId: string, number: string): Promise<string | null> {
    const code = String(randomInt(10 ** SMS_CODE_DIGITS)).padStart(SMS_CODE_DIGITS, '0')
    const values = [userId, number, hashOf(userId, code), SMS_CODE_MINUTES]
    const [, changed]: [unknown, number] = await this.dataSource.query(KEEP_CODE, values)
    return changed > 0 ? code : null
  }

  /** @throws DomainError `VALIDATION_FAILED` for a wrong code, a late one, and after too many wrong ones */
  async confirm(userId: string, code: string): Promise<Phone> {
    const { number } = await this.get(userId)
    const hash = hashOf(userId, code)
    const [guessed]: [{ hash: Buffer }[], number] = await this.dataSource.query(COUNT_GUESS, [
      ...[userId, number, MAX_WRONG_SMS_CODES],
    ])
    const isRight = guessed[0]?.hash.equals(hash) === true
    const [, confirmed]: [unknown, number] = isRight ? await this.dataSource.query(CONFIRM, [userId, hash]) : [null, 0]
    if (confirmed === 0) throw invalidFields({ code: 'This code is wrong or too old. Ask for another one.' })
    return this.get(userId)
  }

  async #hasConfirmedAddress(userId: string): Promise<boolean> {
    const rows: object[] = await this.dataSource.query(
      'SELECT FROM users WHERE id = $1 AND email_confirmed_at IS NOT NULL',
      [userId],
    )
    return rows.length > 0
  }

  /** Notes that a person wants no texts. */
  async stop(userId: string, number: string): Promise<void> {
    await this.dataSource.query('UPDATE phone SET stopped_at = now() WHERE user_id = $1 AND number = $2', [
      userId,
      number,
    ])
  }
}

const hashOf = (userId: string, code: string): Buffer => hashOfToken(`${userId}:${code}`)
