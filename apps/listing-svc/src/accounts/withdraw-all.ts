import type { Queryable } from '@holdfast/service-kit/database/queryable'

// Also those in a deal that has ended: its cancellation, which puts a listing on sale again, may arrive after this event.
const WITHDRAW = `UPDATE listing SET status = CASE status WHEN 'active' THEN 'inactive' ELSE status END, withdrawn = true,
    version = version + 1, updated_at = now()
  WHERE (seller_id = $1 OR created_by = $1) AND NOT (withdrawn AND status <> 'active')`

/** Invitations end. Whom the user has invited, and with which words, is erased. */
const END_INVITATIONS = `UPDATE invitation i SET revoked_at = coalesce(revoked_at, now()), invitee_email = NULL, message = NULL
  FROM listing l WHERE l.id = i.listing_id AND l.seller_id = $1`
const DROP_MAILS = `DELETE FROM mail m USING invitation i, listing l
  WHERE m.data ->> 'invitationId' = i.id::text AND l.id = i.listing_id AND (l.seller_id = $1 OR i.accepted_by = $1)`

/**
 * Withdraws, in a dbTx, whatever a user has on sale, and ends the invitations that they have sent, with the mails that wait. Called when the
 * account is closed, and when the owner of its address takes it over.
 */
export async function withdrawAll(dbTx: Queryable, userId: string): Promise<void> {
  for (const statement of [WITHDRAW, DROP_MAILS, END_INVITATIONS]) await dbTx.query(statement, [userId])
}
