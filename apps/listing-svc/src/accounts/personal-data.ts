import type { PersonalDataPart } from '@holdfast/contracts/personal-data'
import { IMAGE_PATH_PREFIX } from '@holdfast/kernel/images'
import type { PartStatement } from '@holdfast/service-kit/personal-data/read-part'

/** The address of a picture in the product, which the owner can open while they are signed in. */
const PICTURES = `(SELECT coalesce(jsonb_agg('${IMAGE_PATH_PREFIX}' || hash ORDER BY n), '[]')
  FROM unnest(l.image_hashes) WITH ORDINALITY p(hash, n))`

/** What listing-svc keeps about a user. */
export const PARTS: Readonly<Record<PersonalDataPart<'listing-svc'>, PartStatement>> = {
  listings: `
    SELECT l.id::text AS cursor, jsonb_build_object('id', l.id, 'title', l.title, 'description', l.description,
      'priceMinor', l.price_minor, 'currency', l.currency, 'category', l.category, 'condition', l.condition,
      'location', l.location, 'status', l.status, 'isPrivate', l.is_private, 'inspectionDays', l.inspection_days,
      'returnPolicy', l.return_policy, 'pictures', ${PICTURES}, 'transactionId', l.transaction_id, 'createdAt', l.created_at,
      'updatedAt', l.updated_at) AS item
    FROM (
      SELECT * FROM listing WHERE seller_id = $1 AND ($2::bigint IS NULL OR id > $2)
      UNION ALL
      SELECT * FROM listing WHERE created_by = $1 AND seller_id <> $1 AND created_by <> seller_id AND ($2::bigint IS NULL OR id > $2)
    ) l ORDER BY l.id LIMIT $3`,
  signatures: `
    SELECT id::text AS cursor, jsonb_build_object('listingId', listing_id, 'signedAs', signed_as,
      'agreementsVersion', agreements_version, 'signature', digital_signature, 'signatureDate', signature_date,
      'listingVersion', listing_version, 'termsHash', encode(terms_hash, 'hex'), 'receivedAt', received_at,
      'address', client_ip, 'browser', user_agent) AS item
    FROM legal_acceptance WHERE signer_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  invitationsSent: `
    SELECT i.id::text AS cursor, jsonb_build_object('id', i.id, 'listingId', i.listing_id, 'inviteeEmail', i.invitee_email,
      'message', i.message, 'createdAt', i.created_at, 'expiresAt', i.expires_at, 'revokedAt', i.revoked_at,
      'acceptedAt', i.accepted_at) AS item
    FROM invitation i JOIN listing l ON l.id = i.listing_id
    WHERE l.seller_id = $1 AND ($2::uuid IS NULL OR i.id > $2) ORDER BY i.id LIMIT $3`,
  invitationsAccepted: `
    SELECT id::text AS cursor, jsonb_build_object('id', id, 'listingId', listing_id, 'invitedAddress', invitee_email,
      'acceptedAt', accepted_at) AS item
    FROM invitation WHERE accepted_by = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
}
