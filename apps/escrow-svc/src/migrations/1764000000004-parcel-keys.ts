import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * A parcel is found by its number however that is spelled, and knows since when it is its deal's and which scan counted
 * for that deal: one scan counts for one. `shared`, decided when a number was saved, is written for the release before
 * and read no more: the release after this one drops it.
 */
export class ParcelKeys1764000000004 implements MigrationInterface {
  readonly name = 'ParcelKeys1764000000004'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE escrow.parcel
      ADD tracking_key text GENERATED ALWAYS AS (upper(translate(tracking_number, ' -', ''))) STORED,
      ADD saved_at timestamptz NOT NULL DEFAULT now(),
      ADD counted_scan timestamptz`)
    await queryRunner.query('CREATE UNIQUE INDEX parcel_scan ON escrow.parcel (tracking_key, counted_scan)')
    await queryRunner.query('DROP INDEX escrow.parcel_tracking_number')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX parcel_tracking_number ON escrow.parcel (tracking_number)')
    await queryRunner.query('ALTER TABLE escrow.parcel DROP tracking_key, DROP saved_at, DROP counted_scan')
  }
}
