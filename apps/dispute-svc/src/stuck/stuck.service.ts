import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** Answers the operator's console, which compares the disputed deals of escrow with the disputes here. */
@Injectable()
export class StuckService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Those of the deals that have a dispute which has not ended. */
  async findDealsWithDispute(transactionIds: readonly number[]): Promise<number[]> {
    const rows: { id: string }[] = await this.dataSource.query(FIND, [transactionIds])
    return rows.map(({ id }) => Number(id))
  }
}

const FIND = `SELECT DISTINCT transaction_id AS id FROM dispute
  WHERE transaction_id = ANY($1::bigint[]) AND status <> 'closed' AND step <> 'refused'`
