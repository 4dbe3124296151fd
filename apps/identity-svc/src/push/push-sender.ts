import { type Backoff, pauseAfter } from '@holdfast/kernel/backoff'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline, DeadlineSource } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { type PushAnswer, type PushTarget, postPush, SEND_WITHIN_MS } from './post-push.js'
import type { PushConfig } from './push-config.js'

/** While an attempt runs, no other takes the same message, for at most this time. So a message whose process was killed is tried again. */
const LEASE_SECONDS = (4 * SEND_WITHIN_MS) / 1_000
const RETRY: Backoff = { firstMs: 10_000, longestMs: 15 * 60_000 }
/** After this time a message is too old to be pushed. The user still finds the notification under the bell. */
const GIVE_UP_AFTER_SECONDS = 6 * 3_600
const MAX_ERROR_LENGTH = 500

const CLAIM = `
  UPDATE push_message m SET attempts = attempts + 1, due_at = now() + $2 * interval '1 second'
  FROM push_subscription p JOIN sessions s ON s.id = p.session_id
  WHERE m.id = $1 AND m.due_at <= now() AND p.id = m.subscription_id
  RETURNING m.attempts, m.tag, m.title, m.path, p.id AS "subscriptionId", p.endpoint, p.p256dh, p.auth,
    greatest(0, $3 - extract(epoch FROM now() - m.created_at))::int AS "secondsLeft",
    s.revoked_at IS NULL AND s.expires_at > now() AS "isSignedIn"`
const END = 'DELETE FROM push_message WHERE id = $1'
const LATER = `UPDATE push_message SET due_at = now() + $2 * interval '1 millisecond', last_error = $3 WHERE id = $1`
const FORGET_BROWSER = 'DELETE FROM push_subscription WHERE id = $1'

interface ClaimedRow extends PushTarget {
  readonly attempts: number
  readonly subscriptionId: string
  readonly tag: string
  readonly title: string
  readonly path: string
  readonly secondsLeft: number
  readonly isSignedIn: boolean
}

/**
 * Sends the push messages that wait (`queuePush`), each by one replica at a time, and again after a failure. A browser may get one twice
 * when a process is killed between the service's answer and its own commit; the second replaces the first on the screen.
 */
@Injectable()
export class PushSender implements OnModuleInit, DeadlineSource {
  readonly name = 'push'
  readonly atOnce = 4
  readonly #logger = loggerOf('push')
  readonly #ended = counter('push_messages_total', 'Push messages that have ended', ['outcome'])

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly timers: Timers,
    @Inject(CONFIG) private readonly config: PushConfig,
  ) {}

  onModuleInit(): void {
    this.timers.add(this)
  }

  upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]> {
    return this.dataSource.query(
      `SELECT id, due_at AS "dueAt" FROM push_message WHERE due_at <= now() + $1 * interval '1 millisecond' ORDER BY due_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  async fire(id: string): Promise<void> {
    const [rows]: [ClaimedRow[], number] = await this.dataSource.query(CLAIM, [
      id,
      LEASE_SECONDS,
      GIVE_UP_AFTER_SECONDS,
    ])
    const [row] = rows
    if (!row) return
    if (!row.isSignedIn) return this.#forget(row, 'signed_out')
    const { title, path, tag } = row
    const answer = await postPush(row, { title, path, tag }, { config: this.config, ttlSeconds: row.secondsLeft })
    await this.#settle(id, row, answer)
  }

  async #settle(id: string, row: ClaimedRow, answer: PushAnswer): Promise<void> {
    if (answer.kind === 'sent') return this.#end(id, 'sent')
    if (answer.kind === 'gone') return this.#forget(row, 'gone')
    const { words } = answer
    // The endpoint is not logged: whoever has it can send to the browser.
    this.#logger.warn({ push: id, attempts: row.attempts, words }, 'a push message could not be sent')
    if (answer.kind === 'refused') return this.#end(id, 'refused')
    if (row.secondsLeft === 0) return this.#end(id, 'given_up')
    const pauseMs = Math.max(pauseAfter(row.attempts, RETRY), Math.min(answer.retryAfterMs, RETRY.longestMs))
    await this.dataSource.query(LATER, [id, pauseMs, words.slice(0, MAX_ERROR_LENGTH)])
  }

  async #end(id: string, outcome: string): Promise<void> {
    await this.dataSource.query(END, [id])
    this.#ended.inc({ outcome })
  }

  /** Removes a browser that gets nothing any more, with all messages that wait for it. */
  async #forget({ subscriptionId }: ClaimedRow, outcome: string): Promise<void> {
    await this.dataSource.query(FORGET_BROWSER, [subscriptionId])
    this.#ended.inc({ outcome })
    this.#logger.info({ subscription: subscriptionId, outcome }, 'a browser gets no push messages any more')
  }
}
