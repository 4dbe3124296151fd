import type { Payout } from '@holdfast/contracts/payouts'
import type { PayoutReceipt, receiptRoutes } from '@holdfast/contracts/receipts'
import type { Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import { MAX_DEALS_OF_RECEIPT, payoutReceiptNumber } from '@holdfast/kernel/receipts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, LessThan } from 'typeorm'
import type { z } from 'zod'
import { PayoutEntity } from '../payouts/payout.entity.js'
import { viewsOf } from '../payouts/payout-view.js'

type Query = Parsed<typeof receiptRoutes.listPayouts>['query']

/** Of all deals of a payout: how many, what they sum to, and what those sum to that the receipt lists ($2 at most, the newest). */
const SUMS = `SELECT count(*) AS deals, coalesce(sum(amount_minor), 0) AS all_minor,
    coalesce(sum(amount_minor) FILTER (WHERE n <= $2), 0) AS listed_minor
  FROM (SELECT amount_minor, row_number() OVER (ORDER BY transaction_id DESC) AS n FROM payout_deal WHERE payout_id = $1) d`

/** A seller's payouts, and their receipts. Only the seller gets them. */
@Injectable()
export class PayoutReceiptsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A page of a seller's payouts, newest first. */
  async list(sellerId: string, { limit, before }: Query): Promise<z.input<typeof Payout>[]> {
    const { manager } = this.dataSource
    const page = await manager.find(PayoutEntity, {
      where: { sellerId, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit,
    })
    return viewsOf(manager, page)
  }

  /** @throws DomainError `NOT_FOUND`, also for the payout of another seller */
  async get(id: string, sellerId: string): Promise<z.input<typeof PayoutReceipt>> {
    const { manager } = this.dataSource
    const payout = await manager.findOneBy(PayoutEntity, { id, sellerId })
    if (!payout) throw new DomainError('NOT_FOUND')
    const [view] = await viewsOf(manager, [payout], MAX_DEALS_OF_RECEIPT)
    const [sums]: { deals: string; all_minor: string; listed_minor: string }[] = await manager.query(SUMS, [
      id,
      MAX_DEALS_OF_RECEIPT,
    ])
    const all = BigInt(sums!.all_minor)
    return {
      ...view!,
      number: payoutReceiptNumber(id),
      dealCount: Number(sums!.deals),
      otherDeals: formatAmount(all - BigInt(sums!.listed_minor), payout.currency),
      corrections: formatAmount(payout.amountMinor - all, payout.currency),
    }
  }
}
