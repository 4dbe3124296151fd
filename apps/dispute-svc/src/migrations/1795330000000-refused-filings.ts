import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * A filing that escrow has refused is kept for a while instead of deleted. If an earlier call for it still freezes the deal,
 * dispute-svc knows that the deal must resume.
 */
export class RefusedFilings1795330000000 implements MigrationInterface {
  readonly name = 'RefusedFilings1795330000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await setSteps(queryRunner, ['freezing', 'settled', 'resuming', 'refused'], ['freezing', 'refused'])
    await queryRunner.query(`CREATE INDEX dispute_refused ON dispute (updated_at) WHERE step = 'refused'`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX dispute_refused')
    await queryRunner.query(`DELETE FROM dispute WHERE step = 'refused'`)
    await setSteps(queryRunner, ['freezing', 'settled', 'resuming'], ['freezing'])
  }
}

/** Sets the steps that a dispute may have, and those in which its parties need not be known. */
async function setSteps(queryRunner: QueryRunner, steps: readonly string[], early: readonly string[]): Promise<void> {
  const list = (values: readonly string[]) => values.map(value => `'${value}'`).join(', ')
  await queryRunner.query(`ALTER TABLE dispute
    DROP CONSTRAINT dispute_step_check, ADD CONSTRAINT dispute_step_check CHECK (step IN (${list(steps)})),
    DROP CONSTRAINT dispute_check,
    ADD CONSTRAINT dispute_check CHECK (step IN (${list(early)}) OR (buyer_id IS NOT NULL AND seller_id IS NOT NULL))`)
}
