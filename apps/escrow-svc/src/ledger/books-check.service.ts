import { pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type pg from 'pg'
import { DataSource } from 'typeorm'
import { RULES, rowsAgainst } from './invariants.js'

/** A rule that takes longer is stopped, and the check is tried again later. */
const RULE_TIMEOUT_MS = 120_000
/** After a rule that takes this long, the disk is left to the commands, and there are too few slow statements for `DatabaseSlow`. */
const SLOW_MS = 1_000
const PAUSE_MS = 30_000
/** More than all rules can take. */
const CHECK_BUDGET_MS = RULES.length * (RULE_TIMEOUT_MS + PAUSE_MS)

const SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${RULE_TIMEOUT_MS};
  SET LOCAL max_parallel_workers_per_gather = 0`
/** Takes the check, for one replica. One that is not finished is due again in two hours: no check takes longer. */
const CLAIM = `WITH claimed AS (UPDATE books_check SET due_at = now() + interval '2 hours' WHERE due_at <= now() RETURNING 1)
  SELECT FROM claimed`
/** The next check is at 08:00 UTC, when it is night in America. */
const DONE = `UPDATE books_check SET due_at = date_trunc('day', now(), 'UTC') + interval '1 day 8 hours', checked_at = now(), broken_rules = $1`

/**
 * Checks every rule of the books once a day. Each rule is one statement with a snapshot of its own, on one connection and one processor, so
 * that commands go on meanwhile and old rows are cleaned up between the rules.
 */
@Injectable()
export class BooksCheckService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = loggerOf('books-check')
  private readonly stopping = new AbortController()
  private running: pg.Client | undefined

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly timers: Timers,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: 'books-check',
      atOnce: 1,
      budgetMs: CHECK_BUDGET_MS,
      upcoming: aheadMs => this.due(aheadMs),
      fire: () => this.checkIfDue(),
    })
    gauge('ledger_broken_rules', 'Rules of the books that did not hold at the last check', [], async broken =>
      broken.set((await this.last()).broken_rules),
    )
    gauge('ledger_books_checked_timestamp_seconds', 'When the books were last checked', [], async checked =>
      checked.set((await this.last()).checked_at.getTime() / 1000),
    )
  }

  /** Ends a check that runs: it may take minutes, and a replica has seconds. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort()
    // A connection whose statement is under way is closed at once.
    await this.running?.end()
  }

  /** The next check, if it is due within a time from now. */
  async due(aheadMs: number): Promise<Deadline[]> {
    const rows: { due_at: Date }[] = await this.dataSource.query(
      `SELECT due_at FROM books_check WHERE due_at <= now() + $1 * interval '1 millisecond'`,
      [aheadMs],
    )
    return rows.map(({ due_at: dueAt }) => ({ id: 'books', dueAt }))
  }

  /** Checks the books, if that is due. @throws when a rule cannot be checked; then none of the check is kept */
  async checkIfDue(): Promise<void> {
    const claimed: unknown[] = await this.dataSource.query(CLAIM)
    if (claimed.length === 0) return
    let broken = 0
    for (const rule of RULES) {
      const startedMs = performance.now()
      const rows = await rowsAgainst(rule, sql => this.inSnapshot(sql))
      if (rows.length > 0) {
        broken++
        this.log.error({ rule, rows }, 'the books are wrong: an operator must look')
      }
      if (performance.now() - startedMs >= SLOW_MS) await pause(PAUSE_MS, this.stopping.signal)
    }
    await this.dataSource.query(DONE, [broken])
  }

  /** What the last check found, whichever replica made it. */
  private async last(): Promise<{ checked_at: Date; broken_rules: number }> {
    const [row] = await this.dataSource.query('SELECT checked_at, broken_rules FROM books_check')
    return row
  }

  /** Runs a statement that may take longer than others. */
  private async inSnapshot(sql: string): Promise<{ rows: object[] }> {
    const runner = this.dataSource.createQueryRunner()
    try {
      const client: pg.Client = await runner.connect()
      this.stopping.signal.throwIfAborted()
      this.running = client
      await client.query(SNAPSHOT)
      try {
        return await client.query({ text: sql, query_timeout: RULE_TIMEOUT_MS + 1_000 } as pg.QueryConfig)
      } finally {
        await client.query('ROLLBACK')
      }
    } finally {
      this.running = undefined
      await runner.release()
    }
  }
}
