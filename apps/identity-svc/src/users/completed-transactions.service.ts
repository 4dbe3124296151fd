import type { EventEnvelope, PayloadOf, transactionCompleted } from '@holdfast/contracts/events'
import { eachEventOnce } from '@holdfast/events/inbox/inbox'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { createPool } from '@holdfast/service-kit/database/database'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { Pool } from 'pg'
import type { IdentityConfig } from '../config.js'

/** One statement is out at a time: while it is, company gathers for the next. */
const POOL_SIZE = 1

/**
 * Counts many deals in one statement, since this process has the sessions of the money path to answer, too. What was
 * counted before falls out at the inbox. People are locked in the order of their ids: two replicas may count deals of
 * the same people at once, and must not wait for each other in a circle.
 */
const COUNT = {
  name: 'count-completed',
  text: `
  WITH deal AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS deal(event_id, buyer_id, seller_id)
  ), noted AS (
    INSERT INTO inbox (consumer, event_id) SELECT 'completed-transactions', event_id FROM deal
    ON CONFLICT DO NOTHING RETURNING event_id
  ), share AS (
    SELECT party.id, count(*) AS deals
    FROM deal JOIN noted USING (event_id), LATERAL (VALUES (buyer_id), (seller_id)) AS party(id) GROUP BY party.id
  ), person AS (
    SELECT users.id, share.deals FROM users JOIN share USING (id) ORDER BY users.id FOR UPDATE OF users
  )
  UPDATE users SET total_transactions = total_transactions + person.deals FROM person WHERE users.id = person.id`,
}

interface CompletedDeal {
  readonly eventId: string
  readonly buyerId: string
  readonly sellerId: string
}

/** Keeps the number of deals that people have completed. */
@Injectable()
export class CompletedTransactionsService implements OnApplicationShutdown {
  readonly #pool: Pool
  readonly #count = batchCalls((deals: readonly CompletedDeal[]) => this.#write(deals))

  constructor(@Inject(CONFIG) config: IdentityConfig) {
    this.#pool = createPool(config.DATABASE_URL, { schema: 'identity', max: POOL_SIZE, forceGenericPlan: true })
  }

  /** Counts a deal for its buyer and its seller, once however often its event is delivered. */
  count({ id }: EventEnvelope, { buyerId, sellerId }: PayloadOf<typeof transactionCompleted>): Promise<void> {
    return this.#count({ eventId: id, buyerId, sellerId })
  }

  async #write(all: readonly CompletedDeal[]): Promise<void> {
    const deals = eachEventOnce(all)
    const columns = [deals.map(deal => deal.eventId), deals.map(deal => deal.buyerId), deals.map(deal => deal.sellerId)]
    await this.#pool.query({ ...COUNT, values: columns })
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pool.end()
  }
}
