import { MAIL_TABLE } from '@holdfast/mail/mail-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  ...MAIL_TABLE,
  `CREATE TABLE invitation (
    id uuid PRIMARY KEY,
    listing_id bigint NOT NULL REFERENCES listing (id),
    invitee_email text CHECK (invitee_email LIKE '%@%'),
    message text,
    valid_days integer NOT NULL CHECK (valid_days > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    accepted_by uuid,
    accepted_at timestamptz,
    CHECK ((accepted_by IS NULL) = (accepted_at IS NULL))
  )`,
  'CREATE INDEX invitation_by_listing ON invitation (listing_id, id DESC)',
  'CREATE INDEX invitation_not_accepted ON invitation (expires_at) WHERE accepted_by IS NULL',
  `CREATE TABLE invitation_token (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    invitation_id uuid NOT NULL REFERENCES invitation (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX invitation_token_by_invitation ON invitation_token (invitation_id)',
]

/** Invitations to private listings, the tokens of their links, and mails to send. */
export class Invitations1798000000000 implements MigrationInterface {
  readonly name = 'Invitations1798000000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE invitation_token, invitation, mail')
  }
}
