import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Every change of the terms is signed. The signature of the highest version of the listing holds.
  `ALTER TABLE legal_acceptance DROP CONSTRAINT legal_acceptance_listing_id_key,
     ADD COLUMN listing_version integer NOT NULL, ADD COLUMN terms_hash bytea NOT NULL CHECK (octet_length(terms_hash) = 32)`,
  'CREATE UNIQUE INDEX legal_acceptance_of_version ON legal_acceptance (listing_id, listing_version)',
]

/** Which version of a listing was signed, and the hash of its terms. */
export class SignedTerms1799786010000 implements MigrationInterface {
  readonly name = 'SignedTerms1799786010000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('listings may be signed more than once: restore a backup instead')
  }
}
