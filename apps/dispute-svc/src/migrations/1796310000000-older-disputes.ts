import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The disputes that the migration of cases found: their price was written as 0, which no deal has. */
const OLDER = `d.price_minor = 0 AND d.title = 'Transaction #' || d.transaction_id`

/** A UUIDv7 of a time: its milliseconds in the first six bytes, and the version 7 in place of the 4 of a random one. */
const uuidV7 = (at: string) =>
  `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
     PLACING substring(int8send((extract(epoch FROM ${at}) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`

const STATEMENTS = [
  // They were open before there were cases, so their history is empty.
  `INSERT INTO history (id, dispute_id, step, role, user_id, at)
     SELECT ${uuidV7('d.created_at')}, d.id, 'filed',
       CASE d.reporter_id WHEN d.buyer_id THEN 'buyer' WHEN d.seller_id THEN 'seller' ELSE 'system' END, d.reporter_id, d.created_at
     FROM dispute d WHERE d.opened_at IS NOT NULL AND ${OLDER}
       AND NOT EXISTS (SELECT FROM history h WHERE h.dispute_id = d.id AND h.step = 'filed')`,
  // The time limits of the stage start now: the parties did not know of them before. A migration does not know the setting
  // DAY_SECONDS, so these are real days, also in a demo. Each wakes the service a day before its end, for the reminder.
  `INSERT INTO dispute_clock (id, dispute_id, kind, started_at, due_at, wake_at)
     SELECT ${uuidV7('t.now')}, d.id, l.kind, t.now, t.now + l.days * interval '24 hours', t.now + (l.days - 1) * interval '24 hours'
     FROM dispute d CROSS JOIN (VALUES ('response', 3), ('first_look', 2), ('ruling', 14)) AS l (kind, days)
       CROSS JOIN (SELECT date_trunc('milliseconds', now()) AS now) t
     WHERE d.stage = 'open' AND d.opened_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM dispute_clock c WHERE c.dispute_id = d.id AND c.ended_at IS NULL)`,
  // The price is unknown, and not nothing. The service asks escrow-svc for it, as far as the deal is still disputed.
  `UPDATE dispute d SET price_minor = NULL,
     retry_at = CASE WHEN d.status <> 'closed' AND d.step = 'settled' THEN now() ELSE d.retry_at END WHERE ${OLDER}`,
]

/** Gives time limits and a history to disputes that were opened by a release without cases, and makes their price unknown. */
export class OlderDisputes1796310000000 implements MigrationInterface {
  readonly name = 'OlderDisputes1796310000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('time limits that the parties have read are never dropped: restore a backup instead')
  }
}
