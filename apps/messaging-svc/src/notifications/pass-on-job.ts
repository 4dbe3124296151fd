import type {
  notificationsToMail,
  notificationsToPush,
  notificationsToText,
  PayloadOf,
} from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationSettings,
  type NotificationType,
  SETTING_OF_TYPE,
} from '@holdfast/kernel/messages'
import type { Clock } from '@holdfast/service-kit/lifecycle/clock'
import type { DataSource, EntityManager } from 'typeorm'
import { PeriodicJob } from '../periodic-job.js'

const PERIOD_MS = 2_000
const PER_EVENT = 100

type Payload = PayloadOf<typeof notificationsToMail>
type PassedOn = Payload['notifications'][number]

/** A way on which users are told, besides the bell. */
export interface Channel {
  /** The column that says that a notification was not considered yet. */
  readonly pending: 'mail_pending' | 'push_pending' | 'sms_pending'
  /** The notification of a message is passed on when it is unread for so long: two people who write to each other read at once. */
  readonly unreadMessageSeconds: number
  /** The setting of users who do not want it. */
  readonly setting: keyof NotificationSettings
  /** The types that are passed on; all when left out. */
  readonly types?: readonly NotificationType[]
  readonly event: typeof notificationsToMail | typeof notificationsToPush | typeof notificationsToText
  /** The words of the log when a pass fails. */
  readonly failure: string
}

/** A message's notification of the release before has words of the message until `SealingJob` has removed them. */
const takeOf = ({ pending, unreadMessageSeconds }: Channel): string => `
  WITH due AS (
    SELECT id FROM notifications
    WHERE ${pending} AND (type <> 'message'
      OR (without_words AND (read_at IS NOT NULL OR created_at < $1::timestamptz - interval '${unreadMessageSeconds} seconds')))
    ORDER BY created_at LIMIT ${PER_EVENT} FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE notifications n SET ${pending} = false FROM due WHERE n.id = due.id RETURNING n.*
  )
  SELECT taken.id, taken.user_id AS "userId", taken.type, taken.title, taken.message, deals.title AS "dealTitle",
    taken.transaction_id::float8 AS "transactionId", taken.dispute_id::float8 AS "disputeId",
    taken.read_at IS NOT NULL AS "isRead", settings
  FROM taken LEFT JOIN notification_settings USING (user_id) LEFT JOIN deals USING (transaction_id)
  ORDER BY taken.created_at`

interface Row extends PassedOn {
  readonly isRead: boolean
  readonly settings: Partial<NotificationSettings> | null
}

/**
 * Asks identity-svc, by event, to pass new notifications on to users who want that. It works beside the path that writes notifications,
 * which stays as fast as it is. identity-svc alone knows addresses and browsers.
 */
export abstract class PassOnJob extends PeriodicJob {
  readonly #take: string

  protected constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly channel: Channel,
  ) {
    super(PERIOD_MS, channel.failure)
    this.#take = takeOf(channel)
  }

  override async run(): Promise<void> {
    let taken = PER_EVENT
    while (taken === PER_EVENT && !this.isStopping) {
      taken = await this.dataSource.transaction(dbTx => this.#takeSome(dbTx))
    }
  }

  async #takeSome(dbTx: EntityManager): Promise<number> {
    const now = this.clock.now()
    const rows: Row[] = await dbTx.query(this.#take, [now])
    const notifications = rows.filter(row => !row.isRead && this.#isWanted(row.settings, row.type))
    const [first] = notifications
    if (first) await appendToOutbox(dbTx, newEvent(this.channel.event, first.userId, { notifications }, now))
    return rows.length
  }

  /** Whether a user wants notifications of this type, and wants them on this way. */
  #isWanted(chosen: Row['settings'], type: NotificationType): boolean {
    if (this.channel.types?.includes(type) === false) return false
    const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, ...chosen }
    return settings[this.channel.setting] && settings[SETTING_OF_TYPE[type]]
  }
}
