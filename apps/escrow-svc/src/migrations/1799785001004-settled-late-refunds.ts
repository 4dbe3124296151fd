import { newId } from '@holdfast/kernel/ids'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Marks the refunds of ended deals as done of which an earlier release has told operators: its alert lasted a day, and nobody could mark
 * one. Where operators have marked events already, they decide about the others, too.
 */
export class SettledLateRefunds1799785001004 implements MigrationInterface {
  readonly name = 'SettledLateRefunds1799785001004'

  async up(queryRunner: QueryRunner): Promise<void> {
    const settled: { id: string; about: string; transaction_id: string }[] = await queryRunner.query(`
      SELECT id, provider_refund_id AS about, transaction_id FROM escrow.refund
       WHERE origin = 'provider_late' AND created_at < now() - interval '1 day'
         AND NOT EXISTS (SELECT FROM escrow.admin_act WHERE act = 'provider_event.done')`)
    for (const { id, about, transaction_id } of settled)
      await queryRunner.query(
        `INSERT INTO escrow.admin_act (id, at, act, subject, other_subject, before, after, reason, command_line_user)
         VALUES ($1, clock_timestamp(), 'provider_event.done', $2, $3, $4, '{"done": true}', $5, 'migration')`,
        [
          newId(),
          `provider_event:${id}`,
          `transaction:${transaction_id}`,
          JSON.stringify({ why: 'refund_of_ended_deal', about }),
          'It was announced by a release in which nobody could mark it',
        ],
      )
  }

  async down(): Promise<void> {
    // An older release does not read the marks.
  }
}
