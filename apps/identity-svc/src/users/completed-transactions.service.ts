import type { EventEnvelope, PayloadOf, transactionCompleted } from '@holdfast/contracts/events'
import { once } from '@holdfast/events/inbox'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

const CONSUMER = 'completed-transactions'

// Locked in the order of their ids: two deals between the same people may complete at once, and must not wait for each
// other in a circle.
const COUNT_FOR_BOTH = `
  WITH parties AS (SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR UPDATE)
  UPDATE users SET total_transactions = total_transactions + 1 FROM parties WHERE users.id = parties.id`

/** Keeps the number of deals that people have completed. */
@Injectable()
export class CompletedTransactionsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts a deal for its buyer and its seller, once however often its event is delivered. */
  async count(event: EventEnvelope, { buyerId, sellerId }: PayloadOf<typeof transactionCompleted>): Promise<void> {
    await once(this.dataSource, CONSUMER, event, async manager => {
      await manager.query(COUNT_FOR_BOTH, [[buyerId, sellerId]])
    })
  }
}
