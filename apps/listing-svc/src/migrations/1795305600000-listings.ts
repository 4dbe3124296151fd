import { eventTables } from '@holdfast/events/migrations'
import { ATTEMPTS_TABLE } from '@holdfast/service-kit/auth/attempts-table'
import { idempotencyTable } from '@holdfast/service-kit/idempotency/idempotency-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

// The listings that every visitor can find. The indexes for browsing contain only these.
const ON_SALE = `WHERE status = 'active' AND NOT is_private`

const TABLES = [
  `CREATE TABLE seller (
    id uuid PRIMARY KEY,
    version integer NOT NULL DEFAULT 1,
    first_name text NOT NULL,
    last_name text NOT NULL,
    username text NOT NULL,
    is_verified boolean NOT NULL,
    rating double precision CHECK (rating BETWEEN 0 AND 5),
    profile_image_url text,
    known_at timestamptz NOT NULL
  )`,
  `CREATE TABLE listing (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    version integer NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    price_minor bigint NOT NULL CHECK (price_minor > 0),
    currency text NOT NULL,
    category text NOT NULL,
    condition text NOT NULL,
    location text,
    status text NOT NULL CHECK (status IN ('active', 'reserved', 'sold', 'inactive')),
    is_private boolean NOT NULL,
    seller_id uuid NOT NULL REFERENCES seller (id),
    counterparty_id uuid CHECK (counterparty_id <> seller_id OR created_by <> seller_id),
    created_by uuid NOT NULL,
    inspection_days smallint NOT NULL CHECK (inspection_days >= 0),
    return_policy text NOT NULL,
    image_hashes text[] NOT NULL,
    withdrawn boolean NOT NULL DEFAULT false,
    transaction_id bigint,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    search_text text NOT NULL,
    search tsvector NOT NULL GENERATED ALWAYS AS
      (to_tsvector('simple'::regconfig, search_text) || to_tsvector('english'::regconfig, search_text)) STORED,
    CHECK (counterparty_id IS NULL OR is_private)
  )`,
  `CREATE INDEX listing_newest ON listing (id DESC) ${ON_SALE}`,
  `CREATE INDEX listing_by_price ON listing (price_minor, id) ${ON_SALE}`,
  `CREATE INDEX listing_by_category ON listing (category, id) ${ON_SALE}`,
  `CREATE INDEX listing_search ON listing USING gin (search) ${ON_SALE}`,
  // The status is the last column, so that a seller's unsold listings are found without reading the rows of sold ones.
  'CREATE INDEX listing_by_seller ON listing (seller_id, id, status)',
  `CREATE TABLE legal_acceptance (
    id uuid PRIMARY KEY,
    listing_id bigint NOT NULL UNIQUE REFERENCES listing (id),
    signer_id uuid NOT NULL,
    signed_as text NOT NULL CHECK (signed_as IN ('buyer', 'seller')),
    agreements_version text NOT NULL,
    terms_accepted boolean NOT NULL CHECK (terms_accepted),
    escrow_agreement boolean NOT NULL CHECK (escrow_agreement),
    harmless_clause boolean NOT NULL CHECK (harmless_clause),
    digital_signature text NOT NULL,
    signature_date text NOT NULL,
    received_at timestamptz NOT NULL,
    client_ip text,
    user_agent text
  )`,
  ...idempotencyTable('listing'),
  ...ATTEMPTS_TABLE,
]

/** Listings, their sellers, what was signed for them, idempotency keys, counters of attempts, outbox and inbox. */
export class Listings1795305600000 implements MigrationInterface {
  readonly name = 'Listings1795305600000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...eventTables('listing')]) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION forget_idempotency_keys(int)')
    await queryRunner.query('DROP TABLE inbox, outbox, attempts, idempotency_key, legal_acceptance, listing, seller')
  }
}
