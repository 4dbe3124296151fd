import { type Backoff, pauseAfter } from '@holdfast/kernel/backoff'
import { DomainError } from '@holdfast/kernel/errors'
import { SMS_CODE_MINUTES } from '@holdfast/kernel/sms'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline, DeadlineSource } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { PhonesService } from './phones.service.js'
import { postSms, SEND_WITHIN_MS, type SmsAnswer } from './post-sms.js'
import { accountOf, isTextable } from './sms-config.js'
import { SmsLimits } from './sms-limits.js'
import { smsTotal } from './sms-metrics.js'
import type { SmsKind, SmsOutcome } from './sms-vocabulary.js'

/** While an attempt runs, no other takes the same text, for at most this time. So a text whose process was killed is tried again. */
const LEASE_SECONDS = (4 * SEND_WITHIN_MS) / 1_000
const RETRY: Backoff = { firstMs: 10_000, longestMs: 15 * 60_000 }
/** After this time a text is useless: a code is too old to be used, and news are old. Each attempt may cost money. */
const GIVE_UP_AFTER_MINUTES = { code: SMS_CODE_MINUTES, news: 60 } as const
const MAX_ERROR_LENGTH = 500

const CLAIM = `
  UPDATE sms SET attempts = attempts + 1, due_at = now() + $2 * interval '1 second' WHERE id = $1 AND due_at <= now()
  RETURNING user_id AS "userId", number, kind, title, path, attempts, extract(epoch FROM now() - created_at)::float8 / 60 AS "ageMinutes"`
const LATER = `UPDATE sms SET due_at = now() + $2 * interval '1 millisecond', last_error = $3 WHERE id = $1 AND due_at IS NOT NULL`
/** A text that a report of the provider has ended stays as it is: the report can come before the answer to our call. */
const END = `
  UPDATE sms SET due_at = NULL, ended_at = now(), outcome = $2, last_error = $3, provider_id = $4 WHERE id = $1 AND due_at IS NOT NULL`

interface SmsRow {
  readonly userId: string
  readonly number: string
  readonly kind: SmsKind
  readonly title: string | null
  readonly path: string | null
  readonly attempts: number
  readonly ageMinutes: number
}

/** Sends the texts that wait, each by one replica at a time, and again after a failure. */
@Injectable()
export class SmsSender implements OnModuleInit, DeadlineSource {
  readonly name = 'sms'
  readonly atOnce = 2
  readonly #logger = loggerOf('sms')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly timers: Timers,
    private readonly phones: PhonesService,
    private readonly limits: SmsLimits,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onModuleInit(): void {
    this.timers.add(this)
  }

  upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]> {
    return this.dataSource.query(
      `SELECT id, due_at AS "dueAt" FROM sms WHERE due_at <= now() + $1 * interval '1 millisecond' ORDER BY due_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  async fire(id: string): Promise<void> {
    const [rows]: [SmsRow[], number] = await this.dataSource.query(CLAIM, [id, LEASE_SECONDS])
    const [row] = rows
    if (!row) return
    const account = accountOf(this.config)
    if (row.ageMinutes > GIVE_UP_AFTER_MINUTES[row.kind]) return this.#end(id, row, 'given_up')
    if (!account || !(await this.#isWanted(row)) || !(await this.#isWithinLimits(id, row)))
      return this.#end(id, row, 'not_needed')
    const body = await this.#wordsOf(row)
    if (body === null) {
      await this.limits.giveAttemptBack(row.kind)
      return this.#end(id, row, 'not_needed')
    }
    const statusCallback = statusCallbackOf(this.config.PUBLIC_URL, id)
    await this.#settle(
      id,
      row,
      await postSms({ to: row.number, body, statusCallback }, account, this.config.TWILIO_API_URL),
    )
  }

  /** Whether the number is still the user's and, for news, is confirmed and has not answered STOP. Checked before limits are counted. */
  async #isWanted({ userId, number, kind }: SmsRow): Promise<boolean> {
    const phone = await this.phones.get(userId)
    return (
      phone.number === number &&
      isTextable(this.config, number) &&
      (kind === 'code' || (phone.isConfirmed && !phone.isStopped))
    )
  }

  async #isWithinLimits(id: string, { userId, kind }: SmsRow): Promise<boolean> {
    const isWithin =
      (kind === 'code' || (await this.limits.mayGetNews(userId, id))) && (await this.#isWithinLimitOfAll(kind))
    if (!isWithin) this.#logger.warn({ userId, kind }, 'a text is not sent: too many today')
    return isWithin
  }

  async #isWithinLimitOfAll(kind: SmsKind): Promise<boolean> {
    try {
      await this.limits.countAttempt(kind)
      return true
    } catch (error) {
      if (error instanceof DomainError) return false
      throw error
    }
  }

  /** The words of a text; null when the user has changed the number at this moment. */
  async #wordsOf({ userId, number, kind, title, path }: SmsRow): Promise<string | null> {
    if (kind === 'news') return `Holdfast: ${title}. ${this.config.PUBLIC_URL}${path}`
    const code = await this.phones.makeCode(userId, number)
    return code && `${code} is your Holdfast code. It holds for ${SMS_CODE_MINUTES} minutes. We never ask you for it.`
  }

  async #settle(id: string, row: SmsRow, answer: SmsAnswer): Promise<void> {
    if (answer.kind === 'sent') return this.#end(id, row, 'sent', null, answer.providerId)
    if (answer.kind !== 'failed' || answer.isSurelyNotSent) await this.limits.giveAttemptBack(row.kind)
    if (answer.kind === 'stopped') {
      await this.phones.stop(row.userId, row.number)
      return this.#end(id, row, 'stopped')
    }
    // The number is not logged: it is a person's.
    this.#logger.warn({ sms: id, attempts: row.attempts, words: answer.words }, 'a text could not be sent')
    const words = answer.words.slice(0, MAX_ERROR_LENGTH)
    if (answer.kind === 'refused') return this.#end(id, row, 'refused', words)
    await this.dataSource.query(LATER, [id, pauseAfter(row.attempts, RETRY), words])
  }

  async #end(
    id: string,
    { kind }: SmsRow,
    outcome: SmsOutcome,
    words: string | null = null,
    providerId: string | null = null,
  ) {
    await this.dataSource.query(END, [id, outcome, words, providerId])
    smsTotal.inc({ kind, outcome })
  }
}

/** The URL at which the provider reports what became of a text. Its signature covers the URL. */
export const statusCallbackOf = (publicUrl: string, smsId: string): string =>
  `${new URL(publicUrl).origin}/api/webhooks/twilio?sms=${smsId}`
