import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Lets the chargebacks about which the bank has not decided be found without reading the others. */
export class UndecidedChargebacks1796620000000 implements MigrationInterface {
  readonly name = 'UndecidedChargebacks1796620000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX chargeback_undecided ON escrow.chargeback (transaction_id) WHERE status IN ('inquiry', 'open')`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX escrow.chargeback_undecided')
  }
}
