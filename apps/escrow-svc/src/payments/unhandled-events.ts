import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { OtherEvent } from './provider-events.js'

const unhandled = counter(
  'escrow_unhandled_provider_events_total',
  'Events of the provider that no code handles, or that do not fit what is stored',
  ['type'],
)
/** Further types are counted as `other`: the provider adds types over time, and a metric keeps each of them for ever. */
const MAX_TYPES_COUNTED = 100

/**
 * Keeps the events of the provider that no code handles, and those that do not fit what is stored, so that an operator sees
 * what the service does not know.
 */
@Injectable()
export class UnhandledEvents {
  private readonly log = loggerOf('provider-events')
  /** The types that this process has seen. Each is logged once. */
  private readonly seen = new Set<string>()

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Keeps an event of a type that no code handles. The same event again changes nothing. */
  async keep({ id, type }: OtherEvent): Promise<void> {
    if (!(await this.insert(id, type, false))) return
    const isCounted = this.seen.has(type) || this.seen.size < MAX_TYPES_COUNTED
    unhandled.inc({ type: isCounted ? type : 'other' })
    if (this.seen.has(type) || !isCounted) return
    this.seen.add(type)
    this.log.warn({ eventId: id, type }, 'the provider sends events of a type that no code handles')
  }

  /**
   * Keeps an event about money that does not fit what is stored, such as one about a payment that is not ours, or in another
   * currency than its payment. The same event again changes nothing.
   */
  async keepUnfitting(eventId: string, type: string): Promise<void> {
    if (!(await this.insert(eventId, type, true))) return
    unhandled.inc({ type })
    this.log.error(
      { eventId, type },
      'an event of the provider does not fit what is stored: an operator must look at it',
    )
  }

  /** @returns false when the event was kept or handled before */
  private async insert(id: string, type: string, isUnfitting: boolean): Promise<boolean> {
    const kept: unknown[] = await this.dataSource.query(
      `INSERT INTO webhook_event (id, kind, received_at, handled, is_unfitting) VALUES ($1, $2, $3, false, $4)
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, type, this.clock.now(), isUnfitting],
    )
    return kept.length > 0
  }

  /** The types of the events that were kept, the latest first. Events are deleted after 90 days. */
  async list() {
    const rows: { type: string; count: string; first_at: Date; last_at: Date; last_id: string }[] =
      await this.dataSource.query(
        `SELECT kind AS type, count(*) AS count, min(received_at) AS first_at, max(received_at) AS last_at,
           (array_agg(id ORDER BY received_at DESC))[1] AS last_id
         FROM webhook_event WHERE NOT handled GROUP BY kind ORDER BY last_at DESC`,
      )
    return rows.map(row => ({
      type: row.type,
      count: Number(row.count),
      firstAt: row.first_at.toISOString(),
      lastAt: row.last_at.toISOString(),
      lastId: row.last_id,
    }))
  }
}
