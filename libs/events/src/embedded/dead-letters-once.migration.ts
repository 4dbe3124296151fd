import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * A group has one dead letter of an event, whatever its position. Positions of Kafka begin again when a topic is made anew, and they are
 * not those of the embedded log. With the old constraint such a dead letter would be taken for one that is there, and not be written.
 */
export class DeadLettersOnce1799785000001 implements MigrationInterface {
  readonly name = 'DeadLettersOnce1799785000001'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events.dead_letter
      ADD CONSTRAINT dead_letter_event UNIQUE (consumer_group, event_id),
      DROP CONSTRAINT dead_letter_consumer_group_topic_partition_position_key`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events.dead_letter
      ADD CONSTRAINT dead_letter_consumer_group_topic_partition_position_key UNIQUE (consumer_group, topic, partition, position),
      DROP CONSTRAINT dead_letter_event`)
  }
}
