import { notificationsToMail, type PayloadOf } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationSettings,
  type NotificationType,
  SETTING_OF_TYPE,
} from '@holdfast/kernel/messages'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { PeriodicJob } from '../periodic-job.js'

const PERIOD_MS = 2_000
const PER_EVENT = 100
/** Two people who write to each other read at once. They get no mail of each message: only of one that is unread so long. */
export const UNREAD_MESSAGE_SECONDS = 120

/** A message's notification of the release before has words of the message until `SealingJob` has removed them. */
const TAKE = `
  WITH due AS (
    SELECT id FROM notifications
    WHERE mail_pending AND (type <> 'message'
      OR (without_words AND (read_at IS NOT NULL OR created_at < $1::timestamptz - interval '${UNREAD_MESSAGE_SECONDS} seconds')))
    ORDER BY created_at LIMIT ${PER_EVENT} FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE notifications n SET mail_pending = false FROM due WHERE n.id = due.id RETURNING n.*
  )
  SELECT taken.id, taken.user_id AS "userId", taken.type, taken.title, taken.message, deals.title AS "dealTitle",
    taken.transaction_id::float8 AS "transactionId", taken.dispute_id::float8 AS "disputeId",
    taken.read_at IS NOT NULL AS "isRead", settings
  FROM taken LEFT JOIN notification_settings USING (user_id) LEFT JOIN deals USING (transaction_id)
  ORDER BY taken.created_at`

type ToMail = PayloadOf<typeof notificationsToMail>['notifications'][number]

interface Row extends ToMail {
  readonly isRead: boolean
  readonly settings: Partial<NotificationSettings> | null
}

/**
 * Asks identity-svc, by event, to mail new notifications to users who want that. It works beside the path that writes notifications, which
 * stays as fast as it is. identity-svc alone knows addresses.
 */
@Injectable()
export class MailJob extends PeriodicJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(PERIOD_MS, 'notifications could not be passed on to be mailed')
  }

  override async run(): Promise<void> {
    let taken = PER_EVENT
    while (taken === PER_EVENT && !this.isStopping) {
      taken = await this.dataSource.transaction(dbTx => this.#takeSome(dbTx))
    }
  }

  async #takeSome(dbTx: EntityManager): Promise<number> {
    const now = this.clock.now()
    const rows: Row[] = await dbTx.query(TAKE, [now])
    const notifications = rows.filter(row => !row.isRead && wantsMail(row.settings, row.type))
    const [first] = notifications
    if (first) await appendToOutbox(dbTx, newEvent(notificationsToMail, first.userId, { notifications }, now))
    return rows.length
  }
}

/** Whether a user wants notifications of this type, and wants them by mail. */
function wantsMail(chosen: Row['settings'], type: NotificationType): boolean {
  const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, ...chosen }
  return settings.emailNotifications && settings[SETTING_OF_TYPE[type]]
}
