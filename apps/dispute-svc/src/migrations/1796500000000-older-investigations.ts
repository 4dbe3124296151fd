import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A UUIDv7 of a time: its milliseconds in the first six bytes, and the version 7 in place of the 4 of a random one. */
const uuidV7 = (at: string) =>
  `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
     PLACING substring(int8send((extract(epoch FROM ${at}) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`

const had = (...steps: string[]) =>
  `EXISTS (SELECT FROM history h WHERE h.dispute_id = d.id AND h.step IN (${steps.map(step => `'${step}'`).join(', ')}))`

const STATEMENTS = [
  // Every dispute that a release with time limits has opened has had one for the ruling. The limits start now: the parties and the
  // mediators did not know of them before. The other party still has time to answer, and a mediator to look at the case, unless that
  // was done or its time has ended. A migration does not know the setting DAY_SECONDS, so these are real days, also in a demo. Each
  // wakes the service a day before its end, for the reminder.
  `INSERT INTO dispute_clock (id, dispute_id, kind, started_at, due_at, wake_at)
     SELECT ${uuidV7('t.now')}, d.id, l.kind, t.now, t.now + l.days * interval '24 hours', t.now + (l.days - 1) * interval '24 hours'
     FROM dispute d CROSS JOIN (VALUES ('response', 3), ('first_look', 2), ('ruling', 14)) AS l (kind, days)
       CROSS JOIN (SELECT date_trunc('milliseconds', now()) AS now) t
     WHERE d.opened_at IS NOT NULL
       AND (d.stage = 'investigating' OR d.stage = 'settling' AND d.stage_before IN ('open', 'investigating'))
       AND NOT EXISTS (SELECT FROM dispute_clock c WHERE c.dispute_id = d.id AND c.kind = 'ruling')
       AND NOT (l.kind = 'response' AND ${had('answered', 'response_ended')})
       AND NOT (l.kind = 'first_look' AND ${had('investigation_begun')})`,
]

/**
 * Gives time limits to disputes that are under investigation and have none: they were opened by a release without cases, and answered
 * or taken by a mediator before the migration that gave time limits to those that were open.
 */
export class OlderInvestigations1796500000000 implements MigrationInterface {
  readonly name = 'OlderInvestigations1796500000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('time limits that the parties have read are never dropped: restore a backup instead')
  }
}
