import type { Outage } from '@holdfast/service-kit/outages/heartbeat'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { DealInOutage } from '../deals/deals.service.js'

/** Finds the deals whose clock is to be extended by an outage. */
@Injectable()
export class DealClocks {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * The deals with a clock that ran during the outage, was not due before it, and has not been extended yet, in the order of
   * their ids. A clock that was extended for this outage has an entry that is not earlier than its end.
   */
  async dealsIn(outage: Outage, afterId: number, limit: number): Promise<DealInOutage[]> {
    const rows: (Omit<DealInOutage, 'id' | 'outageEndedAt'> & { id: string })[] = await this.dataSource.query(
      CLOCKS_IN_OUTAGE,
      [outage.beganAt, outage.endedAt, afterId, limit],
    )
    return rows.map(row => ({ ...row, id: Number(row.id), outageEndedAt: outage.endedAt }))
  }
}

const CLOCKS_IN_OUTAGE = `SELECT d.id, d.version,
    (extract(epoch FROM $2::timestamptz - greatest($1::timestamptz, last.at)) * 1000)::float AS "lostMs"
  FROM transaction d LEFT JOIN LATERAL (
    SELECT max(at) AS at FROM clock_entry WHERE transaction_id = d.id) last ON true
  WHERE d.due_at > $1 AND d.id > $3 AND (last.at < $2 OR last.at IS NULL) ORDER BY d.id LIMIT $4`
