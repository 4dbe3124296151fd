import { NUMBER_KEPT_DAYS } from '@holdfast/kernel/tracking'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { Stage } from './domain/stages.js'

/** An item on its way back to the seller. */
export interface ReturningParcel {
  readonly trackingNumber: string
  readonly carrier: string | null
  /** When the buyer gave this number. Older scans belong to another parcel with the same number. */
  readonly shippedAt: Date
}

/** A tracking number as it is compared, for SQL: without spaces, hyphens and case (ADR 12). */
export const comparedNumber = (column: string) => `upper(translate(${column}, ' -', ''))`

/** Times are compared as in escrow-svc: the return that had the number first has its delivery (ADR 12). */
const IS_OF_ANOTHER = `
  SELECT FROM return_parcel own JOIN return_parcel other
    ON ${comparedNumber('other.tracking_number')} = ${comparedNumber('own.tracking_number')}
  WHERE own.dispute_id = $1 AND other.dispute_id <> own.dispute_id
    AND (other.shipped_at, other.dispute_id) < (own.shipped_at, own.dispute_id)
    AND other.shipped_at > own.shipped_at - $2 * interval '1 day'
    AND (other.delivered_at IS NULL OR other.delivered_at >= own.shipped_at) LIMIT 1`

/** Reads which items on their way back to sellers the carrier is to be asked about. */
@Injectable()
export class ReturnsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The parcels of returns about which the carrier is to be asked within a time from now, the earliest first. */
  async listDue(aheadMs: number, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    return this.dataSource.query(
      `SELECT dispute_id::text AS id, poll_at AS "dueAt" FROM return_parcel
       WHERE poll_at <= now() + $1 * interval '1 millisecond' ORDER BY poll_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  /**
   * Takes the next question to the carrier about a return, and sets the one after it, so that a fault loses none. It is also set while a
   * settlement is being posted: escrow may refuse it, and then the return is still on its way.
   *
   * @returns null when it is not due, or the return is not on its way any more
   */
  async take(disputeId: number, pollMs: number): Promise<ReturningParcel | null> {
    const [[row]]: [{ tracking_number: string; carrier: string | null; shipped_at: Date; stage: Stage }[], number] =
      await this.dataSource.query(
        `UPDATE return_parcel p
         SET poll_at = CASE WHEN d.stage IN ('returned', 'settling') THEN now() + $2 * interval '1 millisecond' END
         FROM dispute d WHERE d.id = p.dispute_id AND p.dispute_id = $1 AND p.poll_at <= now()
         RETURNING p.tracking_number, p.carrier, p.shipped_at, d.stage`,
        [disputeId, pollMs],
      )
    if (row?.stage !== 'returned') return null
    return { trackingNumber: row.tracking_number, carrier: row.carrier, shippedAt: row.shipped_at }
  }

  /** Whether another return had the tracking number of this one first, and was still on its way then. */
  async isOfAnother(disputeId: number): Promise<boolean> {
    const found: object[] = await this.dataSource.query(IS_OF_ANOTHER, [disputeId, NUMBER_KEPT_DAYS])
    return found.length > 0
  }
}
