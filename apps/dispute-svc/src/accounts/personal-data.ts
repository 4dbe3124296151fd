import type { PersonalDataPart } from '@holdfast/contracts/personal-data'
import type { PartStatement } from '@holdfast/service-kit/personal-data/read-part'

const ROLE = `CASE WHEN d.buyer_id = $1 THEN 'buyer' WHEN d.seller_id = $1 THEN 'seller' END`

/** What dispute-svc keeps about a user: the disputes that they see, what they wrote in them, and their evidence. */
export const PARTS: Readonly<Record<PersonalDataPart<'dispute-svc'>, PartStatement>> = {
  disputes: `
    SELECT d.id::text AS cursor, jsonb_build_object('id', d.id, 'transactionId', d.transaction_id, 'role', ${ROLE},
      'filedByYou', d.reporter_id IS NOT DISTINCT FROM $1::uuid, 'reason', d.reason, 'description', d.description, 'status', d.status,
      'resolution', d.resolution, 'createdAt', d.created_at, 'updatedAt', d.updated_at,
      'proposals', (SELECT coalesce(jsonb_agg(jsonb_build_object('by', p.by, 'refundMinor', p.refund_minor, 'state', p.state, 'at', p.at)
        ORDER BY p.at, p.id), '[]') FROM proposal p WHERE p.dispute_id = d.id),
      'appeal', (SELECT jsonb_build_object('by', a.by, 'reason', a.reason, 'at', a.at) FROM appeal a WHERE a.dispute_id = d.id)) AS item
    FROM dispute d WHERE (d.buyer_id = $1 OR d.seller_id = $1 OR (d.reporter_id = $1 AND d.buyer_id IS NULL))
      AND ($2::bigint IS NULL OR d.id > $2) ORDER BY d.id LIMIT $3`,
  evidence: `
    SELECT e.dispute_id || ' ' || e.n AS cursor, jsonb_build_object('disputeId', e.dispute_id, 'n', e.n, 'note', e.note,
      'pictures', (SELECT coalesce(jsonb_agg('/api/disputes/' || e.dispute_id || '/evidence/' || e.n || '/images/' || (i.n - 1) ORDER BY i.n), '[]')
        FROM unnest(e.images) WITH ORDINALITY i(hash, n)), 'at', e.at, 'sha256', e.sha256) AS item
    FROM evidence e WHERE e.author_id = $1 AND ($2::text IS NULL
      OR (e.dispute_id, e.n) > (split_part($2, ' ', 1)::bigint, split_part($2, ' ', 2)::int))
    ORDER BY e.dispute_id, e.n LIMIT $3`,
}
