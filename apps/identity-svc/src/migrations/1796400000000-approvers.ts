import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // From when on an admin counts for acts that need two admins. Null for a user who is no admin, and for an admin whom an older
  // release appoints while this one starts: such an admin does not count.
  'ALTER TABLE identity.users ADD COLUMN approves_from timestamptz',
  `UPDATE identity.users SET approves_from = clock_timestamp() WHERE role = 'admin'`,
  `CREATE INDEX users_admins ON identity.users (id) WHERE role = 'admin'`,
  // The second thing that an act was done to, such as the other account of an adjustment.
  'ALTER TABLE identity.admin_act ADD COLUMN other_subject text',
]

/** From when on an admin may approve what another one asks for. */
export class Approvers1796400000000 implements MigrationInterface {
  readonly name = 'Approvers1796400000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE identity.admin_act DROP COLUMN other_subject')
    await queryRunner.query('ALTER TABLE identity.users DROP COLUMN approves_from')
  }
}
