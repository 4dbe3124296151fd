import type { PayloadOf } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings, SETTING_OF_TYPE } from '@holdfast/kernel/messages'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { PeriodicJob } from '@holdfast/service-kit/lifecycle/periodic-job'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { CHANNELS, type Channel } from './channels.js'

const PERIOD_MS = 2_000
/** Most notifications that one statement takes. They are taken together, because each statement reads past those just taken. */
const AT_ONCE = 1_000
const PER_EVENT = 100

/** Whether a notification is due on a channel: a column of `due`. */
const isDue = ({ pending, unreadMessageSeconds }: Channel): string =>
  `${pending} AND (type <> 'message' OR read_at IS NOT NULL
     OR created_at < $1::timestamptz - interval '${unreadMessageSeconds} seconds') AS ${pending}`

const columns = (of: (name: string) => string, separator: string): string =>
  CHANNELS.map(({ pending }) => of(pending)).join(separator)

/**
 * Takes what is due, on all channels at once: each update of a row also writes to the table's indexes. The first condition is that of the
 * index. A message's notification of an earlier release has words of the message until `SealingJob` has removed them.
 */
const TAKE = `
  WITH waiting AS (
    SELECT n.id, due.* FROM notifications n
      CROSS JOIN LATERAL (SELECT ${CHANNELS.map(isDue).join(', ')}) due
    WHERE (${columns(name => `n.${name}`, ' OR ')}) AND (${columns(name => `due.${name}`, ' OR ')})
      AND (type <> 'message' OR without_words)
    ORDER BY n.created_at LIMIT ${AT_ONCE} FOR UPDATE OF n SKIP LOCKED
  ), taken AS (
    UPDATE notifications n SET ${columns(name => `${name} = n.${name} AND NOT waiting.${name}`, ', ')}
    FROM waiting WHERE n.id = waiting.id
    RETURNING n.id, n.user_id, n.type, n.title, n.message, n.transaction_id, n.dispute_id, n.read_at, n.created_at,
      ${columns(name => `waiting.${name}`, ', ')}
  )
  SELECT taken.id, taken.user_id AS "userId", taken.type, taken.title, taken.message, deals.title AS "dealTitle",
    taken.transaction_id::float8 AS "transactionId", taken.dispute_id::float8 AS "disputeId",
    taken.read_at IS NOT NULL AS "isRead", settings, ${columns(name => name, ', ')}
  FROM taken LEFT JOIN notification_settings USING (user_id) LEFT JOIN deals USING (transaction_id)
  ORDER BY taken.created_at`

type PassedOn = PayloadOf<Channel['event']>['notifications'][number]
type Taken = PassedOn & { readonly [due in Channel['pending']]: boolean } & {
  readonly isRead: boolean
  readonly settings: Partial<NotificationSettings> | null
}

/**
 * Asks identity-svc, by events, to pass new notifications on to users who want that. It works beside the path that writes notifications,
 * which stays as fast as it is. identity-svc alone knows addresses and browsers.
 */
@Injectable()
export class PassOnJob extends PeriodicJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(PERIOD_MS, 'notifications could not be passed on')
  }

  override async run(): Promise<void> {
    let taken = AT_ONCE
    while (taken === AT_ONCE && !this.isStopping) {
      taken = await this.dataSource.transaction(dbTx => this.#takeSome(dbTx))
    }
  }

  async #takeSome(dbTx: EntityManager): Promise<number> {
    const now = this.clock.now()
    const taken: Taken[] = await dbTx.query(TAKE, [now])
    const events = CHANNELS.flatMap(channel =>
      inParts(taken.filter(each => isWanted(channel, each)).map(passedOn)).map(([first, ...others]) =>
        newEvent(channel.event, first.userId, { notifications: [first, ...others] }, now),
      ),
    )
    await appendToOutbox(dbTx, ...events)
    return taken.length
  }
}

/** Whether a notification is due on a channel, is of use there, and its user wants notifications of this type, and on this way. */
function isWanted({ pending, types, setting }: Channel, { isRead, type, settings, ...due }: Taken): boolean {
  if (!due[pending] || isRead || types?.includes(type) === false) return false
  const chosen = { ...DEFAULT_NOTIFICATION_SETTINGS, ...settings }
  return chosen[setting] && chosen[SETTING_OF_TYPE[type]]
}

const passedOn = ({ id, userId, type, title, message, dealTitle, transactionId, disputeId }: Taken): PassedOn => ({
  id,
  userId,
  type,
  title,
  message,
  dealTitle,
  transactionId,
  disputeId,
})

function inParts(notifications: readonly PassedOn[]): [PassedOn, ...PassedOn[]][] {
  const parts: [PassedOn, ...PassedOn[]][] = []
  for (let from = 0; from < notifications.length; from += PER_EVENT) {
    const [first, ...others] = notifications.slice(from, from + PER_EVENT)
    if (first) parts.push([first, ...others])
  }
  return parts
}
