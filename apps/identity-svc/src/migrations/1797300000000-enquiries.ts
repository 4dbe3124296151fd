import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  `CREATE TABLE enquiry (
    id uuid PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY (START 1001) UNIQUE,
    kind text NOT NULL CHECK (kind IN ('support', 'enterprise')),
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'closed')),
    name text NOT NULL,
    email text NOT NULL,
    user_id uuid,
    subject text NOT NULL,
    message text NOT NULL,
    facts jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    answer text,
    answered_by uuid,
    answered_at timestamptz,
    CHECK ((answer IS NULL) = (answered_by IS NULL) AND (answer IS NULL) = (answered_at IS NULL)),
    CHECK (state <> 'answered' OR answer IS NOT NULL)
  )`,
  'CREATE INDEX enquiry_by_state ON enquiry (state, id)',
  'CREATE INDEX enquiry_by_email ON enquiry (lower(email) text_pattern_ops)',
]

/** What people write to us, and the answers. */
export class Enquiries1797300000000 implements MigrationInterface {
  readonly name = 'Enquiries1797300000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE enquiry')
  }
}
