import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Up to which message a user has read the chat of a deal.
  `CREATE TABLE read_marks (
    user_id uuid NOT NULL,
    transaction_id bigint NOT NULL REFERENCES deals (transaction_id),
    sequence bigint NOT NULL,
    PRIMARY KEY (user_id, transaction_id)
  )`,
  // Nobody knows who has read what was written before. It counts as read.
  `INSERT INTO read_marks (user_id, transaction_id, sequence)
   SELECT party, transaction_id, last FROM (
     SELECT transaction_id, max(sequence) AS last FROM messages WHERE sender_id IS NOT NULL GROUP BY transaction_id
   ) m JOIN deals d USING (transaction_id) CROSS JOIN LATERAL unnest(ARRAY[d.buyer_id, d.seller_id]) AS party`,
  // For the last message of a chat that a person wrote, and for those after a mark.
  'CREATE INDEX messages_of_people ON messages (transaction_id, sequence) WHERE sender_id IS NOT NULL',
  'CREATE INDEX deals_by_buyer ON deals (buyer_id)',
  'CREATE INDEX deals_by_seller ON deals (seller_id)',
]

/** Which messages a user has read, and the indexes of the list of conversations. */
export class ReadMarks1797400000000 implements MigrationInterface {
  readonly name = 'ReadMarks1797400000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX deals_by_seller, deals_by_buyer, messages_of_people')
    await queryRunner.query('DROP TABLE read_marks')
  }
}
