import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { Stage } from './domain/stages.js'

/** An item on its way back to the seller. */
interface ReturningParcel {
  readonly trackingNumber: string
  readonly carrier: string | null
  /** When the buyer gave the number. Older scans belong to another parcel with the same number. */
  readonly shippedAt: Date
}

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
   * Takes the next question to the carrier about a return, and sets the one after it, so that a fault loses none.
   *
   * @returns null when it is not due, or the return is not on its way any more
   */
  async take(disputeId: number, pollMs: number): Promise<ReturningParcel | null> {
    const [[row]]: [{ tracking_number: string; carrier: string | null; shipped_at: Date; stage: Stage }[], number] =
      await this.dataSource.query(
        `UPDATE return_parcel p SET poll_at = CASE d.stage WHEN 'returned' THEN now() + $2 * interval '1 millisecond' END
         FROM dispute d WHERE d.id = p.dispute_id AND p.dispute_id = $1 AND p.poll_at <= now()
         RETURNING p.tracking_number, p.carrier, p.shipped_at, d.stage`,
        [disputeId, pollMs],
      )
    if (row?.stage !== 'returned') return null
    return { trackingNumber: row.tracking_number, carrier: row.carrier, shippedAt: row.shipped_at }
  }
}
