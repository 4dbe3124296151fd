import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * What the database keeps of events that Kafka carries.
 *
 * - A group has one dead letter of an event, whatever its position. Positions of Kafka begin again when a topic is made anew, and they
 *   are not those of the embedded log. With the old constraint such a dead letter would be taken for one that is there.
 * - `waiting` shows the events for which partitions wait, as `cursor` does for the embedded log.
 */
export class KafkaEvents1799785000001 implements MigrationInterface {
  readonly name = 'KafkaEvents1799785000001'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events.dead_letter
      ADD CONSTRAINT dead_letter_event UNIQUE (consumer_group, event_id),
      DROP CONSTRAINT dead_letter_consumer_group_topic_partition_position_key`)
    await queryRunner.query(`CREATE TABLE events.waiting (
      consumer_group text NOT NULL,
      topic text NOT NULL,
      partition smallint NOT NULL,
      event_id uuid NOT NULL,
      key text NOT NULL,
      type text NOT NULL,
      since timestamptz NOT NULL DEFAULT now(),
      attempts int NOT NULL,
      outages int NOT NULL,
      retry_at timestamptz NOT NULL,
      error text NOT NULL,
      events_behind int NOT NULL,
      bury_requested boolean NOT NULL DEFAULT false,
      PRIMARY KEY (consumer_group, topic, partition)
    )`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE events.waiting')
    await queryRunner.query(`ALTER TABLE events.dead_letter
      ADD CONSTRAINT dead_letter_consumer_group_topic_partition_position_key UNIQUE (consumer_group, topic, partition, position),
      DROP CONSTRAINT dead_letter_event`)
  }
}
