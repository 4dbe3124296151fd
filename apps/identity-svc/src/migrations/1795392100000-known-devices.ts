import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The browsers with which users have signed in before. Only the hash of a browser's token is stored. */
export class KnownDevices1795392100000 implements MigrationInterface {
  readonly name = 'KnownDevices1795392100000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE known_devices (
      token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
      user_id uuid NOT NULL REFERENCES users (id),
      used_at timestamptz NOT NULL
    )`)
    await queryRunner.query('CREATE INDEX known_devices_by_user ON known_devices (user_id, used_at)')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE known_devices')
  }
}
