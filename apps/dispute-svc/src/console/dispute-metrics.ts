import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { CALLS_TO_ESCROW, type CallToEscrow } from '../cases/dispute.entity.js'
import { EscrowClient } from '../cases/escrow.client.js'
import { ConsoleService } from './console.service.js'

/** It asks escrow-svc, so it does not run at every scrape. */
const COMPARED_EVERY_MS = 45 * 1000

/**
 * Shows how many disputes wait for an answer of escrow-svc and for how long, and how many deals are stopped without a dispute, so that
 * an alert can name them.
 */
@Injectable()
export class DisputeMetrics implements OnModuleInit {
  readonly #missing = gauge(
    'dispute_missing_disputes',
    'Deals that escrow-svc has stopped for a dispute that dispute-svc does not have or has closed',
    [],
    atMostEvery(COMPARED_EVERY_MS, () => this.measureMissing()),
  )

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly console: ConsoleService,
    private readonly escrow: EscrowClient,
  ) {}

  onModuleInit(): void {
    const oldest = gauge('dispute_escrow_wait_seconds', 'For how long the oldest dispute waits for escrow-svc', [
      'step',
    ])
    gauge('dispute_escrow_waiting', 'Disputes that wait for an answer of escrow-svc', ['step'], async count => {
      const rows: { step: CallToEscrow; n: number; age: number }[] = await this.dataSource.query(
        `SELECT step, count(*)::int AS n, extract(epoch FROM clock_timestamp() - min(updated_at))::float AS age
         FROM dispute WHERE retry_at IS NOT NULL AND step = ANY($1) GROUP BY step`,
        [CALLS_TO_ESCROW],
      )
      for (const step of CALLS_TO_ESCROW) {
        const row = rows.find(each => each.step === step)
        count.set({ step }, row?.n ?? 0)
        oldest.set({ step }, row?.age ?? 0)
      }
    })
  }

  async measureMissing(): Promise<void> {
    const disputed = (await this.escrow.disputedDeals()).map(({ transactionId }) => transactionId)
    const known = await this.console.findDealsWithDispute(disputed)
    this.#missing.set(disputed.length - known.length)
  }
}
