import { DomainError } from '@holdfast/kernel/errors'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import type { Deadline } from '@holdfast/timers/deadline'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { refuseClosedUsers } from '../accounts/closed-users.js'
import type { Intent } from '../payments/provider-objects.js'
import { AttemptFailed, isMissing } from '../provider/stripe-calls.js'
import { CustomersProvider } from './customers.provider.js'

interface Row {
  readonly provider_customer_id: string | null
  readonly attempt: number
  /** The customer is being deleted at the provider. */
  readonly is_being_deleted: boolean
}

const FIND =
  'SELECT provider_customer_id, attempt, deletion_due_at IS NOT NULL AS is_being_deleted FROM customer WHERE user_id = $1'
const INSERT = 'INSERT INTO customer (user_id, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING'
const KEEP = `UPDATE customer SET provider_customer_id = $2
  WHERE user_id = $1 AND provider_customer_id IS NULL AND attempt = $3`
// A buyer has a handful of unpaid purchases.
const OPEN_CARD_PAYMENTS = `SELECT p.intent_id AS "intentId" FROM payment p JOIN transaction t ON t.id = p.transaction_id
  WHERE p.user_id = $1 AND p.method = 'card' AND p.status = 'open' AND t.status = 'pending' ORDER BY p.id DESC LIMIT 20`
const NEXT_ATTEMPT = 'UPDATE customer SET attempt = attempt + 1 WHERE user_id = $1 AND attempt = $2'

const DELETE_SOON = 'UPDATE customer SET deletion_due_at = now() WHERE user_id = $1 AND deleted_at IS NULL'
// A user is deleted after their subscriptions have ended: the invoices of these are voided first.
const CAN_BE_DELETED = `NOT EXISTS (SELECT FROM subscription s WHERE s.user_id = customer.user_id AND (s.status <> 'ended' OR s.due_at IS NOT NULL))`
const DUE = `SELECT user_id AS id, deletion_due_at AS "dueAt" FROM customer
  WHERE deletion_due_at <= now() + $1 * interval '1 millisecond' AND ${CAN_BE_DELETED} ORDER BY deletion_due_at LIMIT $2`
// When the provider cannot be reached, it is tried again in a minute.
const CLAIM = `UPDATE customer SET deletion_due_at = now() + interval '1 minute'
  WHERE user_id = $1 AND deletion_due_at <= now() AND ${CAN_BE_DELETED} RETURNING 1`
const DELETED = 'UPDATE customer SET deletion_due_at = NULL, deleted_at = now() WHERE user_id = $1'
// The user of an account that was taken over may become another customer. One whose account is closed has none any more.
const BEGIN_AGAIN = `UPDATE customer SET provider_customer_id = NULL, deleted_at = NULL, attempt = attempt + 1
  WHERE user_id = $1 AND NOT EXISTS (SELECT FROM closed_user c WHERE c.user_id = customer.user_id AND c.closed_at IS NOT NULL)`

const BEING_REMOVED = 'The cards that were saved here before are being removed. Please try again in a minute.'

/**
 * The provider's customers: a user who saves a card or subscribes becomes one. Each bank transfer has a customer of its own, which is
 * not listed here (ADR 79).
 */
@Injectable()
export class CustomersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: CustomersProvider,
  ) {}

  /** The id of a user's customer at the provider; null for a user who has none, and for one that is being deleted. */
  async find(userId: string): Promise<string | null> {
    const row = await this.row(userId)
    return row && !row.is_being_deleted ? row.provider_customer_id : null
  }

  /** The same, also while the customer is being deleted: a subscription of theirs may still have to be found at the provider. */
  async findAlsoBeingDeleted(userId: string): Promise<string | null> {
    return (await this.row(userId))?.provider_customer_id ?? null
  }

  /** Lets the saved cards of a user pay an intent. For a user who has none it is returned as it is. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async letPay(userId: string, intent: Intent): Promise<Intent> {
    const customerId = await this.find(userId)
    return customerId ? this.provider.letPay(customerId, intent.id) : intent
  }

  /**
   * The id of a user's customer, who is created when there is none. Requests at the same time create one, because they share an idempotency
   * key. Payments by card that were begun before can then be paid with the cards that the user saves.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`; `FORBIDDEN` for a user who closes their account; `CONFLICT` while the cards of an
   * account that was taken over are removed
   */
  async getOrOpen(userId: string): Promise<string> {
    await this.dataSource.transaction(async manager => {
      await refuseClosedUsers(manager, userId, [userId])
      await manager.query(INSERT, [userId])
    })
    if ((await this.row(userId))?.is_being_deleted) throw new DomainError('CONFLICT', undefined, BEING_REMOVED)
    return this.open(userId)
  }

  /** Lets the timer delete the user at the provider with their saved cards, in the caller's dbTx. The payments stay. */
  async deleteSoon(dbTx: Queryable, userId: string): Promise<void> {
    await dbTx.query(DELETE_SOON, [userId])
  }

  /** The users to be deleted at the provider within a time from now, the earliest first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    return this.dataSource.query(DUE, [aheadMs, limit])
  }

  /** Deletes a user at the provider, once their subscriptions have ended. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async delete(userId: string): Promise<void> {
    const [claimed]: [unknown[]] = await this.dataSource.query(CLAIM, [userId])
    if (claimed.length === 0) return
    // If the answer to the creation was lost, the id is not known yet. The same attempt answers with the customer that it created.
    await this.provider.deleteCustomer(await this.open(userId))
    await this.dataSource.transaction(async dbTx => {
      for (const statement of [DELETED, BEGIN_AGAIN]) await dbTx.query(statement, [userId])
    })
  }

  private async open(userId: string): Promise<string> {
    const { provider_customer_id: known, attempt } = (await this.row(userId)) as Row
    if (known) return known
    try {
      const customerId = await this.provider.openCustomer(userId, attempt)
      // The browser may still have the answers with which these payments were begun, and does not ask for them anew.
      const begun: { intentId: string }[] = await this.dataSource.query(OPEN_CARD_PAYMENTS, [userId])
      for (const { intentId } of begun) await this.letPayBegun(customerId, intentId)
      await this.dataSource.query(KEEP, [userId, customerId, attempt])
    } catch (error) {
      if (!(error instanceof AttemptFailed)) throw error
      await this.dataSource.query(NEXT_ATTEMPT, [userId, attempt])
      throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
    }
    const kept = (await this.row(userId))?.provider_customer_id
    // The account was taken over meanwhile, so what this request has opened is nobody's.
    if (!kept) throw new DomainError('CONFLICT', undefined, BEING_REMOVED)
    return kept
  }

  private async letPayBegun(customerId: string, intentId: string): Promise<void> {
    try {
      await this.provider.letPay(customerId, intentId)
    } catch (error) {
      // Nobody can pay an intent that the provider does not have.
      if (!isMissing(error)) throw error
    }
  }

  private async row(userId: string): Promise<Row | undefined> {
    const [row]: Row[] = await this.dataSource.query(FIND, [userId])
    return row
  }
}
