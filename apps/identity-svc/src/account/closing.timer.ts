import type { Deadline, DeadlineSource } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { ClosingService } from './closing.service.js'

/** Asks again about accounts whose closing has not ended, and begins those that an operator has ordered. */
@Injectable()
export class ClosingTimer implements DeadlineSource, OnModuleInit {
  readonly name = 'account-closing'
  readonly atOnce = 1

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly closing: ClosingService,
    private readonly timers: Timers,
  ) {}

  onModuleInit(): void {
    this.timers.add(this)
  }

  upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]> {
    return this.dataSource.query(
      `SELECT id, closing_next_at AS "dueAt" FROM users WHERE closing_next_at <= now() + $1 * interval '1 millisecond'
       ORDER BY closing_next_at LIMIT $2`,
      [aheadMs, limit],
    )
  }

  fire(id: string): Promise<void> {
    return this.closing.askAgain(id)
  }
}
