import { DomainError } from '@holdfast/kernel/errors'
import {
  SMS_CODES_PER_ADDRESS_AND_DAY,
  SMS_CODES_PER_DAY,
  SMS_CODES_PER_NETWORK_AND_DAY,
  SMS_NEWS_PER_DAY,
} from '@holdfast/kernel/sms'
import { addressKey, networkKey } from '@holdfast/service-kit/auth/address-key'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import type { SmsKind } from './sms-vocabulary.js'

const REFUSAL = 'Several codes were texted today. Please try again tomorrow.'

/** A text that ended without being sent does not count, so an outage of the provider does not use up a user's texts of the day. */
const COUNTS = `(outcome IS NULL OR outcome IN ('sent', 'delivered', 'undelivered'))`
const CODES = `
  SELECT count(*) FILTER (WHERE user_id = $1)::int AS "ofUser", count(*) FILTER (WHERE number = $2)::int AS "toNumber",
    ceil(extract(epoch FROM min(created_at) + $3 * interval '1 second' - now()))::int AS seconds
  FROM sms WHERE (user_id = $1 OR number = $2) AND kind = 'code' AND ${COUNTS} AND created_at > now() - $3 * interval '1 second'`
/** Of the texts that are being sent now, only the older ones count. So of many at once the first ones are sent, whichever replica sends. */
const NEWS = `
  SELECT count(*)::int AS count FROM sms
  WHERE user_id = $1 AND kind = 'news' AND ${COUNTS} AND (outcome IS NOT NULL OR id < $2)
    AND created_at > now() - $3 * interval '1 second'`

/**
 * The limits of texts. The texts of a user and of a number are counted in the table of texts. What the provider may charge for is counted
 * for each attempt (`SMS_PER_DAY`). Codes have a limit of their own, because every user can ask for them: they cannot use up the limit of news.
 */
@Injectable()
export class SmsLimits {
  readonly #codesPerAddress: Attempts
  readonly #codesPerNetwork: Attempts
  readonly #all: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    const limitOf = (name: string, attempts: number) =>
      new Attempts(dataSource, name, { attempts, seconds: config.DAY_SECONDS, refusal: REFUSAL })
    this.#codesPerAddress = limitOf('sms-codes-address', SMS_CODES_PER_ADDRESS_AND_DAY)
    this.#codesPerNetwork = limitOf('sms-codes-network', SMS_CODES_PER_NETWORK_AND_DAY)
    this.#all = limitOf('sms-all', config.SMS_PER_DAY)
  }

  /** Counts a code that is asked for from a network address. @throws DomainError `RATE_LIMITED` */
  async countFrom(clientIp: string | null): Promise<void> {
    await this.#codesPerAddress.count(addressKey(clientIp))
    await this.#codesPerNetwork.count(networkKey(clientIp))
  }

  /**
   * Refuses a further code for a user or a number that has had enough today.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  async requireCode(database: Queryable, userId: string, number: string): Promise<void> {
    const [row] = (await database.query(CODES, [userId, number, this.config.DAY_SECONDS])) as [
      { ofUser: number; toNumber: number; seconds: number },
    ]
    if (Math.max(row.ofUser, row.toNumber) >= SMS_CODES_PER_DAY)
      throw new DomainError('RATE_LIMITED', { retryAfterSeconds: row.seconds }, REFUSAL)
  }

  /** Counts the codes for a number one after another, until the dbTx that queues one has ended. */
  async lockNumber(dbTx: Queryable, number: string): Promise<void> {
    await dbTx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sms ${number}`])
  }

  /** Whether a user gets one more text about news today. */
  async mayGetNews(userId: string, smsId: string): Promise<boolean> {
    const [row]: { count: number }[] = await this.dataSource.query(NEWS, [userId, smsId, this.config.DAY_SECONDS])
    return row!.count < SMS_NEWS_PER_DAY
  }

  /** Counts an attempt, for all users together. @throws DomainError `RATE_LIMITED` */
  async countAttempt(kind: SmsKind): Promise<void> {
    await this.#all.count(kind)
  }

  /** An attempt has surely sent nothing, so it costs nothing. */
  async giveAttemptBack(kind: SmsKind): Promise<void> {
    await this.#all.takeBack(kind)
  }
}
