import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Since when the account of a user is closed. Nothing is listed for them any more.
  'ALTER TABLE seller ADD COLUMN closed_at timestamptz',
  'CREATE INDEX listing_by_creator ON listing (created_by) WHERE created_by <> seller_id',
  'CREATE INDEX invitation_by_guest ON invitation (accepted_by) WHERE accepted_by IS NOT NULL',
  'CREATE INDEX legal_acceptance_by_signer ON legal_acceptance (signer_id)',
  // Pictures of closed accounts that no dispute has. The storage may be away, so the rows wait.
  'CREATE TABLE picture_to_remove (hash text PRIMARY KEY, due_at timestamptz NOT NULL DEFAULT now())',
  // The service's role may not delete what was signed; this function deletes it for listings that never had a deal.
  `CREATE FUNCTION listing.forget_acceptances(signer uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DELETE FROM listing.legal_acceptance a USING listing.seller s
     WHERE a.signer_id = signer AND s.id = signer AND s.closed_at IS NOT NULL
       AND NOT EXISTS (SELECT FROM listing.listing_buyer b WHERE b.listing_id = a.listing_id) $$`,
  'REVOKE ALL ON FUNCTION listing.forget_acceptances(uuid) FROM PUBLIC',
]

/** Sellers whose accounts are closed, and the pictures to remove with them. */
export class ClosedSellers1799740000000 implements MigrationInterface {
  readonly name = 'ClosedSellers1799740000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('accounts may be closed: restore a backup instead')
  }
}
