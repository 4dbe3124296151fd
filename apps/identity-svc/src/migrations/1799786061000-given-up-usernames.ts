import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // The usernames that were given up, as hashes of how they look. `user_id` is the former owner, who may take theirs back; null when that
  // account is closed.
  'ALTER TABLE closed_username RENAME TO given_up_username',
  'ALTER TABLE given_up_username ADD COLUMN user_id uuid REFERENCES users (id)',
  'CREATE INDEX given_up_username_by_user ON given_up_username (user_id) WHERE user_id IS NOT NULL',
  `CREATE FUNCTION username_hash(username text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
     SET search_path FROM CURRENT AS $$ SELECT sha256(convert_to(username_look(username), 'UTF8')) $$`,
  // It runs after the row was written. By then the unique index has waited for whoever gives the username up at the same moment, and each
  // statement here sees what was committed before it.
  `CREATE FUNCTION keep_given_up_username() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
   BEGIN
     IF TG_OP = 'UPDATE' AND username_look(OLD.username) <> username_look(NEW.username) THEN
       INSERT INTO given_up_username (name_hash, user_id) VALUES (username_hash(OLD.username), NEW.id)
         ON CONFLICT DO NOTHING;
     END IF;
     IF EXISTS (SELECT FROM given_up_username g
         WHERE g.name_hash = username_hash(NEW.username) AND g.user_id IS DISTINCT FROM NEW.id) THEN
       RAISE unique_violation USING MESSAGE = 'the username was given up by another user', CONSTRAINT = 'given_up_username';
     END IF;
     IF NEW.closed_at IS NOT NULL THEN
       UPDATE given_up_username SET user_id = NULL WHERE user_id = NEW.id;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER given_up_username AFTER INSERT OR UPDATE OF username, closed_at ON users
     FOR EACH ROW EXECUTE FUNCTION keep_given_up_username()`,
]

/** A username that was given up, by a change or with its account, is nobody else's. */
export class GivenUpUsernames1799786061000 implements MigrationInterface {
  readonly name = 'GivenUpUsernames1799786061000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('usernames may be reserved: restore a backup instead')
  }
}
