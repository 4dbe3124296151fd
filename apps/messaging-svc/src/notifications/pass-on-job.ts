import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { PeriodicJob } from '@holdfast/service-kit/lifecycle/periodic-job'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { CHANNELS, type Channel } from './channels.js'
import { type Candidate, passOnEvents } from './pass-on.js'

const PERIOD_MS = 2_000
/** Most notifications that one statement takes. They are taken together, because each statement reads past those just taken. */
const AT_ONCE = 1_000

/** Whether a notification is due on a channel: a column of `due`. */
const isDue = ({ pending, unreadMessageSeconds }: Channel): string =>
  `${pending} AND (type <> 'message' OR read_at IS NOT NULL
     OR created_at < $1::timestamptz - interval '${unreadMessageSeconds} seconds') AS ${pending}`

const columns = (of: (name: string) => string, separator: string): string =>
  CHANNELS.map(({ pending }) => of(pending)).join(separator)

/**
 * Takes what is due, on all channels at once: each update of a row also writes to the table's indexes. The first condition is that of the
 * index. A message's notification of an earlier release has words of the message until `SealingJob` has removed them. What was written before
 * its deal was hidden is not passed on: its link would lead to no page.
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
  WHERE deals.hidden IS NOT TRUE ORDER BY taken.created_at`

type Taken = Candidate & { readonly [due in Channel['pending']]: boolean } & { readonly isRead: boolean }

/**
 * Passes on what was not passed on when it was written: notifications of messages, which may be read meanwhile; of disputes whose id was
 * not known; and of everything but the steps of deals, because it is rare.
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
    await appendToOutbox(dbTx, ...passOnEvents(taken, now, ({ pending }, each) => each[pending] && !each.isRead))
    return taken.length
  }
}
