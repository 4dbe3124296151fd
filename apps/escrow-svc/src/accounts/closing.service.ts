import { accountChecked, type PayloadOf, type userClosed, type userClosing } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { CustomersService } from '../billing/customers.service.js'
import { SubscriptionsService } from '../billing/subscriptions.service.js'
import { lockAccount } from './closed-users.js'
import { obstaclesOf } from './obstacles.js'

type Closing = PayloadOf<typeof userClosing>

const KEEP = `INSERT INTO closed_user (user_id, closing_id, since) VALUES ($1, $2, now())
  ON CONFLICT (user_id) DO UPDATE SET closing_id = excluded.closing_id WHERE closed_user.closed_at IS NULL`
const IS_REFUSED = 'SELECT FROM refused_closing WHERE closing_id = $1'
const KEEP_REFUSAL = 'INSERT INTO refused_closing (closing_id, user_id) VALUES ($2, $1) ON CONFLICT DO NOTHING'
const FORGET = 'DELETE FROM closed_user WHERE user_id = $1 AND closing_id = $2 AND closed_at IS NULL'
const CLOSE = `INSERT INTO closed_user (user_id, closing_id, since, closed_at) VALUES ($1, $2, now(), now())
  ON CONFLICT (user_id) DO UPDATE SET closed_at = coalesce(closed_user.closed_at, now())`

/** Nothing is paid out any more. The provider's id of the account stays with the books; how the bank is called does not. */
const ERASE_PAYOUT_ACCOUNT = `UPDATE payout_account SET next_payout_at = NULL, bank_label = NULL, reason = NULL, updated_at = now()
  WHERE user_id = $1`

/**
 * Each payer by bank is a customer of its own at the provider. They are erased an hour later: the provider's search may miss what was made in
 * the last minutes, and a request that begins a payment may still be under way.
 */
const ERASE_PAYERS_LATER = `UPDATE payment SET address_erasure_due_at = now() + interval '1 hour'
  WHERE user_id = $1 AND method = 'bank' AND NOT unapplied`

/** The part of escrow-svc in closing an account. Every method runs in the dbTx of its event. */
@Injectable()
export class AccountClosingService {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly customers: CustomersService,
  ) {}

  /**
   * From now on no deal is opened with the user. The answer says whether one is open, or money is under way. An event of a closing that was
   * refused changes nothing: it is a replay, or was overtaken by the refusal.
   */
  async check({ userId, closingId }: Closing, dbTx: EntityManager): Promise<void> {
    await lockAccount(dbTx, userId)
    const refused: object[] = await dbTx.query(IS_REFUSED, [closingId])
    if (refused.length > 0) return
    await dbTx.query(KEEP, [userId, closingId])
    const obstacles = [...new Set((await obstaclesOf(dbTx, userId)).map(({ kind }) => kind))]
    const at = await databaseTime(dbTx)
    const payload = { userId, closingId, at: at.toISOString(), obstacles }
    await appendToOutbox(dbTx, newEvent(accountChecked, userId, payload, at))
  }

  /** The account stays open. */
  async forget({ userId, closingId }: Closing, dbTx: EntityManager): Promise<void> {
    await lockAccount(dbTx, userId)
    await dbTx.query(KEEP_REFUSAL, [userId, closingId])
    await dbTx.query(FORGET, [userId, closingId])
  }

  /** The account is closed for ever. A subscription ends at once, and then the provider forgets the user, their saved cards and their address. */
  async close({ userId, closingId }: PayloadOf<typeof userClosed>, dbTx: EntityManager): Promise<void> {
    // A request that begins Premium or saves a card at this moment comes before, and its rows are found here, or is refused.
    await lockAccount(dbTx, userId)
    await dbTx.query(CLOSE, [userId, closingId])
    await dbTx.query(ERASE_PAYOUT_ACCOUNT, [userId])
    await this.subscriptions.endAtOnce(dbTx, userId)
    await this.customers.deleteSoon(dbTx, userId)
    await dbTx.query(ERASE_PAYERS_LATER, [userId])
  }
}
