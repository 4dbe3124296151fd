import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // What a username looks like: case and punctuation are ignored, and so is the difference between 0 and o, between 1, l and i, between
  // 5 and s, and between m and rn (UTS 39; for 5 it is ours). Usernames are ASCII.
  `CREATE FUNCTION username_look(username text) RETURNS text
     LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
     RETURN translate(replace(lower(username), 'm', 'rn'), '015i._-', 'olsl')`,
  // Accounts that look alike already keep their usernames until they choose others: the oldest of them is in the index, and the others
  // are as soon as they have another username.
  'ALTER TABLE users ADD COLUMN alike_username text',
  `UPDATE users SET alike_username = username FROM (
     SELECT id, row_number() OVER (PARTITION BY username_look(username) ORDER BY created_at, id) AS place FROM users
   ) looks WHERE looks.id = users.id AND looks.place > 1`,
  // The code uses the name of the index to report that the username is taken.
  `CREATE UNIQUE INDEX users_username_look_key ON users (username_look(username))
     WHERE alike_username IS NULL OR alike_username <> username`,
]

/** No two usernames look alike. */
export class AlikeUsernames1799786060000 implements MigrationInterface {
  readonly name = 'AlikeUsernames1799786060000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX users_username_look_key')
    await queryRunner.query('ALTER TABLE users DROP COLUMN alike_username')
    await queryRunner.query('DROP FUNCTION username_look')
  }
}
