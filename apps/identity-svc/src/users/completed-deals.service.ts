import type { PayloadOf, transactionCompleted } from '@holdfast/contracts/events'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

/**
 * Counts many deals in one statement, since this process also checks the session of every command on money. The rows are
 * locked in the order of their ids, so that two replicas that count deals of the same users cannot deadlock.
 */
const COUNT = `
  WITH share AS (
    SELECT party.id, count(*) AS deals FROM unnest($1::uuid[]) AS party(id) GROUP BY party.id
  ), person AS (
    SELECT users.id, share.deals FROM users JOIN share USING (id) ORDER BY users.id FOR UPDATE OF users
  )
  UPDATE users SET total_transactions = total_transactions + person.deals FROM person WHERE users.id = person.id`

type CompletedDeal = Pick<PayloadOf<typeof transactionCompleted>, 'buyerId' | 'sellerId' | 'isMutual'>

/** Counts the completed deals of each user. */
@Injectable()
export class CompletedDealsService {
  /**
   * Counts each deal for its buyer and its seller. One that a party has not accepted counts for neither: anybody can be named in a deal.
   *
   * @param manager the dbTx of the deals' events, none of which was handled before
   */
  async count(deals: readonly CompletedDeal[], manager: EntityManager): Promise<void> {
    const mutual = deals.filter(({ isMutual }) => isMutual)
    await manager.query(COUNT, [mutual.flatMap(deal => [deal.buyerId, deal.sellerId])])
  }
}
