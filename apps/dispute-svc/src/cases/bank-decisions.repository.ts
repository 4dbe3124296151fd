import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { DisputeConfig } from '../config.js'
import { lockBankOf } from './bank-wait.js'
import { retrySoon } from './retry-soon.js'
import { syncWithBank } from './stopped-clocks.js'

/** What escrow-svc says about a deal and the buyer's bank. */
export interface BankNews {
  readonly transactionId: number
  /** Whether the bank has still to decide about a chargeback. Null in an event of an older release, which does not say it. */
  readonly waitsForBank: boolean | null
  /** The deal's version of which this is true; null in an event of an older release. */
  readonly version: number | null
  /** The time of which this is true. */
  readonly at: Date
  /** Whether the deal was cancelled. Then its disputes close, and no time limit goes on. */
  readonly isCancelled?: boolean
}

/** Records which deals wait for the decision of the buyer's bank, and stops the time limits of their disputes meanwhile. */
@Injectable()
export class BankDecisionsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: DisputeConfig,
  ) {}

  /**
   * Records what escrow-svc says of a deal. Then stops the time limits of its open dispute while the bank decides, or lets them go on. What
   * is older than the known is ignored, so news may arrive twice and in any order. News that does not say whether the deal waits makes
   * the service ask escrow-svc at once.
   *
   * @param manager a dbTx that has locked no dispute yet
   * @param change what else the same news changes: it is done after the record and before the time limits follow
   */
  async follow(manager: EntityManager, news: BankNews, change?: () => Promise<void>): Promise<void> {
    const { transactionId, waitsForBank, version, at } = news
    await lockBankOf(manager, transactionId)
    if (waitsForBank === null) await manager.query(ASK_NOW, [transactionId, at])
    else await manager.query(RECORD, [transactionId, waitsForBank, at, version, this.config.DAY_SECONDS])
    await change?.()
    if (!news.isCancelled) await syncWithBank(manager, transactionId, this.config.DAY_SECONDS)
  }

  /** Follows an answer of escrow-svc. */
  followAnswer(news: BankNews): Promise<void> {
    return this.dataSource.transaction(manager => this.follow(manager, news))
  }

  /** The deals with an open dispute about which escrow-svc is to be asked within a time from now, the earliest first. */
  listDue(aheadMs: number, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    return this.dataSource.query(
      `SELECT b.transaction_id::text AS id, b.ask_at AS "dueAt" FROM bank_decision b
       WHERE b.ask_at <= now() + $1 * interval '1 millisecond' AND EXISTS (SELECT FROM dispute d
         WHERE d.transaction_id = b.transaction_id AND d.status <> 'closed' AND d.opened_at IS NOT NULL)
       ORDER BY b.ask_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  /** Takes the next question about a deal. It is asked again soon, until there is an answer. False when it is not due. */
  async takeQuestion(transactionId: number): Promise<boolean> {
    const [, taken]: [unknown, number] = await this.dataSource.query(
      `UPDATE bank_decision SET ask_at = ${retrySoon()} WHERE transaction_id = $1 AND ask_at <= now()`,
      [transactionId],
    )
    return taken > 0
  }
}

const ASK_NOW = `INSERT INTO bank_decision (transaction_id, said_at, ask_at) VALUES ($1, $2, now())
  ON CONFLICT (transaction_id) DO UPDATE SET ask_at = now()`

// The version decides which news is newer. Where an event of an older release has none, the time does. While the bank decides, escrow is
// asked once a day.
const RECORD = `INSERT INTO bank_decision AS b (transaction_id, pending_since, said_at, version, ask_at)
  VALUES ($1, CASE WHEN $2::boolean THEN $3::timestamptz END, $3, $4::integer,
    CASE WHEN $2 THEN now() + $5 * interval '1 second' END)
  ON CONFLICT (transaction_id) DO UPDATE SET said_at = excluded.said_at, version = coalesce(excluded.version, b.version),
    pending_since = CASE WHEN $2 THEN coalesce(b.pending_since, excluded.pending_since) END, ask_at = excluded.ask_at
  WHERE coalesce(excluded.version >= b.version, excluded.said_at >= b.said_at)`
