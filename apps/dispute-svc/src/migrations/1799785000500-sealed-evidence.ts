import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // An entry with pictures has a row here, unless an earlier release stored its pictures as they are.
  `CREATE TABLE evidence_pictures (
    dispute_id bigint NOT NULL,
    n int NOT NULL,
    -- Where the encrypted pictures are stored, in the order of the entry's pictures.
    object_keys text[] NOT NULL CHECK (cardinality(object_keys) > 0),
    -- The data key of the entry's pictures, encrypted with the master key that key_id names.
    key_id text NOT NULL,
    wrapped_key bytea NOT NULL,
    PRIMARY KEY (dispute_id, n),
    FOREIGN KEY (dispute_id, n) REFERENCES evidence
  )`,
  'CREATE INDEX evidence_pictures_by_key ON evidence_pictures (key_id)',
]

/** Pictures of the evidence are encrypted. */
export class SealedEvidence1799785000500 implements MigrationInterface {
  readonly name = 'SealedEvidence1799785000500'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('encrypted evidence may exist: restore a backup instead')
  }
}
