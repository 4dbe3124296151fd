import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  'ALTER TABLE users ADD COLUMN verification_reason text',
  `CREATE TABLE verification (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    state text NOT NULL DEFAULT 'uploading' CHECK (state IN ('uploading', 'submitted', 'approved', 'rejected')),
    submitted_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    decided_by uuid,
    reason text,
    -- The storage's keys of the encrypted documents, and the data key that opens them. All are null once they were removed.
    id_front_image text,
    id_back_image text,
    selfie_image text,
    master_key_id text,
    wrapped_key bytea,
    CHECK (num_nulls(id_front_image, id_back_image, selfie_image, master_key_id, wrapped_key) IN (0, 5)),
    CHECK ((decided_at IS NULL) = (state IN ('uploading', 'submitted'))),
    CHECK (state <> 'submitted' OR wrapped_key IS NOT NULL)
  )`,
  // Of two submissions of one user at the same moment, one is kept.
  `CREATE UNIQUE INDEX verification_waiting ON verification (user_id) WHERE state = 'submitted'`,
  `CREATE INDEX verification_queue ON verification (id) WHERE state = 'submitted'`,
  `CREATE INDEX verification_to_remove ON verification (state, decided_at, submitted_at)
    WHERE state <> 'submitted' AND wrapped_key IS NOT NULL`,
]

/** The documents that users send to prove their identity, and what was decided about them. */
export class Verifications1798100000000 implements MigrationInterface {
  readonly name = 'Verifications1798100000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE verification')
    await queryRunner.query('ALTER TABLE users DROP COLUMN verification_reason')
  }
}
