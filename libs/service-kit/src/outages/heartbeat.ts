import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** A time in which no replica could act. */
export interface Outage {
  readonly beganAt: Date
  readonly endedAt: Date
}

/**
 * SQL: a clock may be ended if it was due by this time: the database's present time, or the time until which the last heartbeat
 * lets clocks end, whichever is earlier. After an outage it stays in the past until every clock is extended by the outage.
 *
 * @param schema the service's schema, which has the `heartbeatTables`
 */
export const clocksEndUntil = (schema: string): string =>
  `(SELECT least(clock_timestamp(), clocks_end_until) FROM ${schema}.heartbeat)`

/**
 * SQL: whether a clock may be ended by a time that is so many milliseconds after `clocksEndUntil`. That is the second condition.
 * The first one follows from it, and is there because PostgreSQL can estimate how many rows it finds. For the second one alone
 * it expects a third of all rows, and reads them all.
 *
 * @param column when the clock is due
 * @param ms a parameter, such as `$1`
 */
export const mayEndWithin = (column: string, schema: string, ms: string): string => {
  const ahead = `${ms} * interval '1 millisecond'`
  return `${column} <= now() + ${ahead} AND ${column} <= ${clocksEndUntil(schema)} + ${ahead}`
}

/**
 * One row that every replica of a service writes while it can serve. Its times are the database's. A gap between two writes shows
 * when no replica could act.
 */
@Injectable()
export class Heartbeat {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Records that a replica can serve now. When the last heartbeat is too old, the time since it is an outage, and no clock ends
   * until `endOutage`. The time before the first heartbeat of a new installation is none. If two replicas call this at the same time,
   * the second waits for the row and finds the same outage.
   *
   * @param validMs how long clocks may be ended without another heartbeat
   * @returns the outage by which clocks are to be extended; null when there is none
   */
  async beat(validMs: number): Promise<Outage | null> {
    const [[row]]: [Outage[], number] = await this.dataSource.query(BEAT, [validMs])
    return row?.beganAt ? row : null
  }

  /**
   * Records that every clock is extended by the outage, and lets clocks end again.
   *
   * @returns false when another replica was first, or when the outage has gone on since
   */
  async endOutage(outage: Outage, validMs: number): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(END_OUTAGE, [outage.beganAt, outage.endedAt, validMs])
    return rows.length > 0
  }
}

/** Times are whole milliseconds, so that JavaScript's Date holds them exactly. */
const NOW = `(SELECT date_trunc('milliseconds', clock_timestamp()) AS now) t`

// Before the first heartbeat of an installation no replica was there for its users, so no user lost time.
const IS_OUTAGE =
  '(h.outage_began_at IS NOT NULL OR t.now > h.clocks_end_until AND h.beat_at IS DISTINCT FROM h.made_at)'

// If heartbeats stop again while clocks are being extended by an outage, that outage becomes longer.
const BEAT = `UPDATE heartbeat h SET beat_at = greatest(h.beat_at, t.now),
    outage_began_at = CASE WHEN ${IS_OUTAGE} THEN coalesce(h.outage_began_at, h.beat_at) END,
    outage_ended_at = CASE WHEN NOT ${IS_OUTAGE} THEN NULL
      WHEN h.outage_ended_at IS NULL OR t.now > h.beat_at + $1 * interval '1 millisecond' THEN t.now
      ELSE h.outage_ended_at END,
    clocks_end_until = CASE WHEN ${IS_OUTAGE} THEN h.clocks_end_until ELSE t.now + $1 * interval '1 millisecond' END
  FROM ${NOW} RETURNING h.outage_began_at AS "beganAt", h.outage_ended_at AS "endedAt"`

const END_OUTAGE = `WITH ended AS (
    UPDATE heartbeat h SET outage_began_at = NULL, outage_ended_at = NULL, beat_at = greatest(h.beat_at, t.now),
      clocks_end_until = t.now + $3 * interval '1 millisecond'
    FROM ${NOW} WHERE h.outage_ended_at = $2 RETURNING t.now)
  INSERT INTO outage (began_at, ended_at, clocks_extended_at) SELECT $1, $2, now FROM ended RETURNING id`
