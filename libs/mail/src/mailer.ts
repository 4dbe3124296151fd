import { randomBytes } from 'node:crypto'
import { assert } from '@holdfast/kernel/assert'
import { type Backoff, pauseAfter } from '@holdfast/kernel/backoff'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline, DeadlineSource } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { DataSource } from 'typeorm'
import type { MailConfig } from './mail-config.js'
import { type MailContent, mailOf } from './mail-content.js'
import { MAIL, MAILBOX } from './mail-table.js'
import type { QueuedMail } from './queue-mail.js'
import { Readers } from './readers.js'
import { MailRefused, SEND_WITHIN_MS, Smtp } from './smtp.js'

/** An attempt keeps its mail for this time. When its process is killed, another attempt is made after it. */
const LEASE_SECONDS = (4 * SEND_WITHIN_MS) / 1_000
const RETRY: Backoff = { firstMs: 30_000, longestMs: 60 * 60_000 }
/** A mail that could not be sent for so long is given up: its news is old, and a person has asked again. */
const GIVE_UP_AFTER_HOURS = 24
const MAX_ERROR_LENGTH = 500

/** A call looks at so many times the limit of the mails that are due longest. */
const LOOKED_AT_TIMES = 20
/** Of another mailbox it looks at so many mails. A later call finds the others. */
const MAILS_OF_A_MAILBOX = 5

const IS_DUE = `due_at <= now() + $1 * interval '1 millisecond'`

/** The mailboxes to which mails are due, from `$3` on or up to it. Each step of the recursion reads one entry of the index. */
const mailboxes = (name: string, within: string): string => `
  ${name} (mailbox) AS (
    (SELECT ${MAILBOX} FROM ${MAIL} WHERE ${IS_DUE} AND ${MAILBOX} ${within} ORDER BY ${MAILBOX} LIMIT 1)
    UNION ALL SELECT next.mailbox FROM ${name} CROSS JOIN LATERAL (
      SELECT ${MAILBOX} AS mailbox FROM ${MAIL}
       WHERE ${IS_DUE} AND ${MAILBOX} > ${name}.mailbox AND ${MAILBOX} ${within} ORDER BY ${MAILBOX} LIMIT 1) next
  )`

/**
 * The mails that are due longest may all go to a few mailboxes. So the first mails of other mailboxes are looked at, too: of as many as the
 * limit, from a random one on, so that each gets its turn. However many mails wait, a call reads few of them. For the test of this.
 */
export const UPCOMING = `
  WITH RECURSIVE ${mailboxes('onward', '>= $3::bigint')}, ${mailboxes('around', '< $3::bigint')}, waiting AS (
    (SELECT id, due_at, ${MAILBOX} AS mailbox FROM ${MAIL} WHERE ${IS_DUE} ORDER BY due_at LIMIT $2 * ${LOOKED_AT_TIMES})
    UNION
    SELECT first.id, first.due_at, passed.mailbox FROM (
      (SELECT mailbox FROM onward LIMIT $2) UNION ALL (SELECT mailbox FROM around LIMIT $2)
    ) passed CROSS JOIN LATERAL (
      SELECT id, due_at FROM ${MAIL} WHERE ${IS_DUE} AND ${MAILBOX} = passed.mailbox ORDER BY due_at LIMIT ${MAILS_OF_A_MAILBOX}) first
  )
  SELECT id, due_at AS "dueAt" FROM (
    SELECT id, due_at, row_number() OVER (PARTITION BY mailbox ORDER BY due_at, id) AS turn FROM waiting) turns
  ORDER BY turn, due_at LIMIT $2`

type Outcome = 'sent' | 'refused' | 'given_up' | 'not_needed'

/**
 * Makes the words of a mail at the moment when it is sent. Null when the mail is not needed any more. A link with a token is made
 * here, and the token's hash stored.
 */
export type Compose = (mail: QueuedMail) => Promise<MailContent | null>

interface MailRow extends QueuedMail {
  readonly attempts: number
  readonly is_old: boolean
  readonly queued_at: Date
}

/**
 * Sends the mails of the outbox (`queueMail`), each by one replica at a time, and again after a failure. A mail may arrive twice when a
 * process is killed between the server's answer and its own commit.
 */
@Injectable()
export class Mailer implements OnModuleInit, OnApplicationShutdown, DeadlineSource {
  readonly name = 'mail'
  readonly atOnce = 2
  /** The words of a mail are made in this time, too. */
  readonly budgetMs = 2 * SEND_WITHIN_MS
  readonly #logger = loggerOf('mail')
  readonly #kinds = new Map<string, Compose>()
  readonly #smtp: Smtp
  readonly #ended = counter('mails_total', 'Mails that have ended', ['kind', 'outcome'])

  constructor(
    private readonly dataSource: DataSource,
    private readonly timers: Timers,
    private readonly readers: Readers,
    @Inject(CONFIG) config: MailConfig,
  ) {
    this.#smtp = new Smtp(config)
  }

  /** Says who makes the words of a kind of mail. In `onModuleInit`. */
  add(kind: string, compose: Compose): void {
    assert(!this.#kinds.has(kind), `two compose ${kind}`)
    this.#kinds.set(kind, compose)
  }

  /** Every kind of mail that this service sends. */
  get kinds(): readonly string[] {
    return [...this.#kinds.keys()]
  }

  onModuleInit(): void {
    this.timers.add(this)
  }

  onApplicationShutdown(): void {
    this.#smtp.close()
  }

  /** The first mail to each mailbox, then the second, and so on: many mails to one person do not make others wait. */
  async upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]> {
    return this.dataSource.query(UPCOMING, [aheadMs, limit, randomBytes(8).readBigInt64BE().toString()])
  }

  async fire(id: string): Promise<void> {
    const mail = await this.#claim(id)
    if (!mail) return
    let outcome: Outcome
    try {
      const content = await this.#compose(mail)
      if (content) await this.#send(id, mail, content)
      outcome = content ? 'sent' : 'not_needed'
    } catch (error) {
      return this.#failed(id, mail, error)
    }
    // When the database fails here, a mail that was sent is sent again after the lease. It has not failed.
    await this.#end(id, mail, outcome)
  }

  async #send(id: string, { recipient, queued_at }: MailRow, content: MailContent): Promise<void> {
    const address = content.to ?? recipient
    const isConfirmed = await this.readers.isConfirmed(address, queued_at)
    await this.#smtp.send(id, address, mailOf(content, { isConfirmed }))
  }

  #compose(mail: QueuedMail): Promise<MailContent | null> {
    const compose = this.#kinds.get(mail.kind)
    // A newer release may have queued it. Its own replicas know the kind.
    if (!compose) throw new Error('this release has no words for mails of this kind')
    return compose(mail)
  }

  async #claim(id: string): Promise<MailRow | undefined> {
    const [rows]: [MailRow[], number] = await this.dataSource.query(
      `UPDATE ${MAIL} SET attempts = attempts + 1, due_at = now() + $2 * interval '1 second'
       WHERE id = $1 AND due_at <= now()
       RETURNING kind, recipient, data, attempts, created_at < now() - $3 * interval '1 hour' AS is_old,
         created_at AS queued_at`,
      [id, LEASE_SECONDS, GIVE_UP_AFTER_HOURS],
    )
    return rows[0]
  }

  async #failed(id: string, mail: MailRow, error: unknown): Promise<void> {
    const { kind, attempts } = mail
    // The recipient is not logged: it is a person's address.
    this.#logger.warn({ err: error, mail: id, kind, attempts }, 'a mail could not be sent')
    const words = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH)
    if (error instanceof MailRefused) return this.#end(id, mail, 'refused', words)
    if (mail.is_old) return this.#end(id, mail, 'given_up', words)
    await this.dataSource.query(
      `UPDATE ${MAIL} SET due_at = now() + $2 * interval '1 millisecond', last_error = $3 WHERE id = $1 AND due_at IS NOT NULL`,
      [id, pauseAfter(attempts, RETRY), words],
    )
  }

  async #end(id: string, { kind }: MailRow, outcome: Outcome, error: string | null = null): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${MAIL} SET due_at = NULL, ended_at = now(), outcome = $2, last_error = $3 WHERE id = $1 AND due_at IS NOT NULL`,
      [id, outcome, error],
    )
    this.#ended.inc({ kind, outcome })
  }
}
