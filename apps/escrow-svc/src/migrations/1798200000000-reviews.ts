import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  `CREATE TABLE escrow.review (
    id uuid PRIMARY KEY,
    transaction_id bigint NOT NULL REFERENCES escrow.transaction (id),
    author_id uuid NOT NULL,
    author_role text NOT NULL CHECK (author_role IN ('buyer', 'seller')),
    subject_id uuid NOT NULL CHECK (subject_id <> author_id),
    rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    content text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT review_once UNIQUE (transaction_id, author_id)
  )`,
  'CREATE INDEX review_by_subject ON escrow.review (subject_id, id DESC)',
]

/** What the parties of completed deals say about each other. */
export class Reviews1798200000000 implements MigrationInterface {
  readonly name = 'Reviews1798200000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE escrow.review')
  }
}
