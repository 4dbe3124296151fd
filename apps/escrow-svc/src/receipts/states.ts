/** SQL that says what a payment `p`, a refund `r` and a chargeback `c` are for the user who paid. */

/**
 * A payment in which money has moved, or was refused. One that was begun and never paid is none, and what came with a cancelled bank
 * transfer is a payment of its own, which is returned. A quote in cryptocurrency that expired without money is none, either.
 */
export const PAYMENT_IS_SHOWN = `(p.status IN ('processing', 'succeeded', 'failed') OR p.status = 'open' AND p.received_minor > 0)
  AND NOT (p.method = 'crypto' AND p.status = 'failed'
    AND EXISTS (SELECT FROM crypto_payment c WHERE c.payment_id = p.id AND c.transfers = '[]'))`

export const PAYMENT_STATE = `CASE p.status WHEN 'succeeded' THEN 'paid' WHEN 'open' THEN 'incomplete' ELSE p.status END`

export const REFUND_STATE = `CASE r.status WHEN 'confirmed' THEN 'returned' WHEN 'failed' THEN 'failed' WHEN 'void' THEN 'void'
  ELSE 'on_its_way' END`

/** An inquiry of the bank is open, too. */
export const CHARGEBACK_STATE = `CASE WHEN c.status IN ('won', 'lost') THEN c.status ELSE 'open' END`

/**
 * The provider's id of a chargeback is no UUID. This one has the form of version 7: the time, then digits of the provider's hashed id. So
 * chargebacks stand among payments and refunds in the order of time, and always under the same id.
 */
export const CHARGEBACK_ID = `(lpad(to_hex((extract(epoch FROM c.created_at) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(c.id), 1, 3) || '8' || substr(md5(c.id), 4, 15))::uuid`
