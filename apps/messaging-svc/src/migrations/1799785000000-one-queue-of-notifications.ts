import type { MigrationInterface, QueryRunner } from 'typeorm'

/** One pass takes the notifications of every channel, so one index serves it. */
const WAITS = 'mail_pending OR push_pending OR sms_pending'
const ONE = `CREATE INDEX notifications_to_pass_on ON notifications (created_at) WHERE ${WAITS}`
const BEFORE = [
  'CREATE INDEX notifications_to_mail ON notifications (created_at) WHERE mail_pending',
  'CREATE INDEX notifications_to_push ON notifications (created_at) WHERE push_pending',
  'CREATE INDEX notifications_to_text ON notifications (created_at) WHERE sms_pending',
]

/** The release before then reads all notifications at each pass, for the minutes in which both run. */
export class OneQueueOfNotifications1799785000000 implements MigrationInterface {
  readonly name = 'OneQueueOfNotifications1799785000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(ONE)
    for (const index of ['notifications_to_mail', 'notifications_to_push', 'notifications_to_text'])
      await queryRunner.query(`DROP INDEX ${index}`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of BEFORE) await queryRunner.query(statement)
    await queryRunner.query('DROP INDEX notifications_to_pass_on')
  }
}
