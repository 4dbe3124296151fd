import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The heartbeat, which shows when no replica could act, and the outages that it found. */
export class Outages1795400000000 implements MigrationInterface {
  readonly name = 'Outages1795400000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE escrow.heartbeat (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      beat_at timestamptz NOT NULL,
      -- A clock is ended only if it is due by this time, too. Each heartbeat moves it ahead, except during an outage and
      -- until every clock is extended by that outage.
      clocks_end_until timestamptz NOT NULL,
      outage_began_at timestamptz,
      outage_ended_at timestamptz CHECK (outage_ended_at > outage_began_at),
      CHECK ((outage_began_at IS NULL) = (outage_ended_at IS NULL))
    ) WITH (fillfactor = 50)`)
    await queryRunner.query(
      `INSERT INTO escrow.heartbeat (beat_at, clocks_end_until)
        VALUES (date_trunc('milliseconds', now()), now() + interval '1 minute')`,
    )
    await queryRunner.query(`CREATE TABLE escrow.outage (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      began_at timestamptz NOT NULL,
      ended_at timestamptz NOT NULL CHECK (ended_at > began_at),
      -- When every clock that ran during the outage had been extended.
      clocks_extended_at timestamptz NOT NULL
    )`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE escrow.outage, escrow.heartbeat')
  }
}
