import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // What a username looks like: case and punctuation are ignored, and so is the difference between 0 and o, between 1, l and i, between
  // 5 and s, and between m and rn (UTS 39; for 5 it is ours). Usernames are ASCII.
  `CREATE FUNCTION username_look(username text) RETURNS text
     LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
     RETURN translate(replace(lower(username), 'm', 'rn'), '015i._-', 'olsl')`,
  // The code uses the name of the index to report that the username is taken.
  'CREATE UNIQUE INDEX users_username_look_key ON users (username_look(username))',
]

/** No two usernames look alike. */
export class AlikeUsernames1799786060000 implements MigrationInterface {
  readonly name = 'AlikeUsernames1799786060000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX users_username_look_key')
    await queryRunner.query('DROP FUNCTION username_look')
  }
}
