import type pg from 'pg'

/** The steps with which the provider ends a deal without a refund of ours. */
const ENDED_BY_PROVIDER = `('chargebackLost', 'providerRefundInFull')`

/** What adjustments have moved to or from each account, whatever the direction. A payout contains the seller's, and no deal of it does. */
const ADJUSTED = `(SELECT side.account, sum(p.amount_minor) AS amount FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
  CROSS JOIN LATERAL (VALUES (p.debit), (p.credit)) side (account) WHERE e.kind = 'adjustment' GROUP BY side.account) adjusted`

/** Queries that must find no row. Each is named after the fault that a row would prove; the report shows the row. */
const INVARIANTS: Readonly<Record<string, string>> = {
  'the hold of a deal differs from its postings': `
    SELECT deal.id, deal.hold_minor, coalesce(h.posted, 0) AS posted FROM escrow.transaction deal LEFT JOIN (
      SELECT account, sum(amount) AS posted FROM balance GROUP BY account) h ON h.account = 'hold:' || deal.id
    WHERE deal.hold_minor <> coalesce(h.posted, 0)`,
  'the balances on a deal’s row differ from its postings': `
    SELECT deal.id, deal.released_minor, deal.refunded_minor, deal.revenue_minor, deal.charged_back_minor, p.* FROM escrow.transaction deal CROSS JOIN LATERAL (
      SELECT coalesce(sum(p.amount_minor * CASE p.credit WHEN 'seller_payable:' || deal.seller_id THEN 1 ELSE -1 END)
          FILTER (WHERE 'seller_payable:' || deal.seller_id IN (p.debit, p.credit)), 0) AS released,
        coalesce(sum(p.amount_minor * CASE p.debit WHEN 'hold:' || deal.id THEN 1 ELSE -1 END) FILTER (
          WHERE 'refund_due:' || deal.id IN (p.debit, p.credit) AND 'hold:' || deal.id IN (p.debit, p.credit)), 0) AS refunded,
        coalesce(sum(p.amount_minor * CASE p.credit WHEN 'revenue' THEN 1 ELSE -1 END)
          FILTER (WHERE 'revenue' IN (p.debit, p.credit)), 0) AS revenue,
        coalesce(sum(p.amount_minor) FILTER (WHERE p.credit = 'chargeback_receivable' AND p.debit <> 'provider_costs'), 0)
          - coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'chargeback_returned' AND p.credit <> 'provider_costs'), 0) AS charged_back
      FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
      WHERE e.transaction_id = deal.id AND e.kind IN ('charge', 'release', 'refund', 'settlement', 'chargeback_lost', 'chargeback_returned', 'provider_refund', 'provider_refund_failed')) p
    WHERE (deal.released_minor, deal.refunded_minor, deal.revenue_minor, deal.charged_back_minor)
      <> (p.released, p.refunded, p.revenue, p.charged_back)`,
  'a deal names another payment than the one that settled it': `
    SELECT deal.id, deal.settled_payment_id, p.id AS payment FROM escrow.transaction deal
    FULL JOIN (SELECT id, transaction_id FROM escrow.payment WHERE status = 'succeeded' AND NOT stray) p
      ON p.transaction_id = deal.id WHERE deal.settled_payment_id IS DISTINCT FROM p.id`,
  'a posting is not positive': 'SELECT entry_id, n FROM escrow.posting WHERE amount_minor <= 0',
  'debits and credits differ': 'SELECT sum(amount) FROM balance HAVING sum(amount) <> 0',
  'a posting has no entry': `
    SELECT p.entry_id FROM escrow.posting p LEFT JOIN escrow.journal_entry e ON e.id = p.entry_id WHERE e.id IS NULL`,
  'an account that must not be negative is negative': `
    SELECT account, sum(amount) FROM balance WHERE account ~ '^(hold|refund_due|unapplied|payout_in_transit):'
    GROUP BY account HAVING sum(amount) < 0`,
  'a deal is not charged, released and refunded as often as its status says': `
    SELECT deal.id, deal.status, deal.paid_at, k.* FROM escrow.transaction deal CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE kind = 'charge') AS charges, count(*) FILTER (WHERE kind = 'release') AS releases,
        count(*) FILTER (WHERE kind = 'refund') AS refunds, count(*) FILTER (WHERE kind = 'settlement') AS settlements,
        (SELECT f.kind FROM escrow.timeline f WHERE f.transaction_id = deal.id AND f.status = deal.status ORDER BY f.version, f.id LIMIT 1) AS last
      FROM escrow.journal_entry WHERE transaction_id = deal.id) k
    WHERE k.charges <> (deal.paid_at IS NOT NULL)::int OR (k.settlements > 0 AND deal.status NOT IN ('completed', 'cancelled'))
      OR k.releases + CASE deal.status WHEN 'completed' THEN k.settlements ELSE 0 END <> (deal.status = 'completed')::int
      OR k.refunds + CASE deal.status WHEN 'cancelled' THEN k.settlements ELSE 0 END <> (deal.status = 'cancelled' AND deal.paid_at IS NOT NULL AND k.last NOT IN ${ENDED_BY_PROVIDER})::int`,
  'released, refunded and held do not add up to what was charged': `
    SELECT deal.id, m.* FROM escrow.transaction deal CROSS JOIN LATERAL (
      SELECT coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'charge'), 0) AS charged,
        coalesce(sum(p.amount_minor) FILTER (WHERE e.kind IN ('release', 'settlement')), 0) AS released,
        coalesce(sum(p.amount_minor) FILTER (WHERE e.kind IN ('refund', 'provider_refund') AND p.debit LIKE 'hold:%'), 0)
          - coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'provider_refund_failed' AND p.credit LIKE 'hold:%'), 0) AS refunded,
        coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'chargeback_lost' AND p.debit LIKE 'hold:%'), 0)
          - coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'chargeback_returned' AND p.credit LIKE 'hold:%'), 0) AS lost
      FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id WHERE e.transaction_id = deal.id) m
    WHERE m.charged <> m.released + m.refunded + m.lost + deal.hold_minor
      OR m.charged <> CASE WHEN deal.paid_at IS NULL THEN 0 ELSE deal.price_minor + deal.buyer_fee_minor END`,
  'a release does not pay what was agreed': `
    SELECT deal.id, p.credit, p.amount_minor FROM escrow.transaction deal
    JOIN escrow.journal_entry e ON e.transaction_id = deal.id AND e.kind = 'release'
    JOIN escrow.posting p ON p.entry_id = e.id
    WHERE (p.credit, p.amount_minor) NOT IN (
      ('seller_payable:' || deal.seller_id, deal.price_minor - deal.seller_fee_minor),
      ('revenue', deal.buyer_fee_minor + deal.seller_fee_minor))`,
  'a stray payment is not booked exactly once': `
    SELECT p.id, p.transaction_id FROM escrow.payment p LEFT JOIN (
      SELECT l.credit, l.debit, count(*) AS n FROM escrow.journal_entry e JOIN escrow.posting l ON l.entry_id = e.id
       WHERE e.kind = 'stray_payment' AND l.credit LIKE 'unapplied:%' GROUP BY l.credit, l.debit) s
      ON s.credit = 'unapplied:' || p.id AND s.debit = CASE p.method WHEN 'crypto' THEN 'crypto_clearing' ELSE 'provider_clearing' END
    WHERE coalesce(s.n, 0) <> p.stray::int`,
  'the refunds of a deal differ from its refund entries': `
    SELECT e.transaction_id, e.kinds, r.n FROM (
      SELECT transaction_id, count(*) AS kinds FROM escrow.journal_entry j WHERE kind IN ('refund', 'stray_payment')
        OR (kind = 'settlement' AND EXISTS (SELECT FROM escrow.posting WHERE entry_id = j.id AND credit LIKE 'refund_due:%'))
      GROUP BY transaction_id) e
    FULL JOIN (SELECT transaction_id, count(*) AS n FROM escrow.refund WHERE origin = 'us' GROUP BY transaction_id) r USING (transaction_id)
    WHERE e.kinds IS DISTINCT FROM r.n`,
  'the refunds that a deal owes differ from its account': `
    SELECT deal.id, owed.amount, r.amount AS refunds FROM escrow.transaction deal
    LEFT JOIN account owed ON owed.account = 'refund_due:' || deal.id
    LEFT JOIN (SELECT r.transaction_id, sum(r.amount_minor) AS amount FROM escrow.refund r
      JOIN escrow.payment p ON p.id = r.payment_id
      WHERE r.status IN ('due', 'sent', 'failed') AND NOT (p.stray AND r.origin = 'us') GROUP BY r.transaction_id) r ON r.transaction_id = deal.id
    WHERE coalesce(owed.amount, 0) <> coalesce(r.amount, 0)`,
  // What a bank has given us back of what it had paid in place of a refund is on our costs: an operator decides whose it is.
  'a deal refunds more than its buyer has got or is owed': `
    SELECT deal.id, deal.refunded_minor, r.amount AS refunds, c.amount AS chargebacks, back.amount AS given_back FROM escrow.transaction deal
    LEFT JOIN (SELECT payment_id, sum(amount_minor) AS amount FROM escrow.refund WHERE status <> 'void' GROUP BY payment_id) r
      ON r.payment_id = deal.settled_payment_id
    LEFT JOIN (SELECT payment_id, sum(amount_minor) AS amount FROM escrow.chargeback WHERE status = 'lost' AND withdrawn GROUP BY payment_id) c
      ON c.payment_id = deal.settled_payment_id
    LEFT JOIN (SELECT e.transaction_id, sum(p.amount_minor) AS amount FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
      WHERE e.kind = 'chargeback_returned' AND p.credit = 'provider_costs' GROUP BY e.transaction_id) back ON back.transaction_id = deal.id
    WHERE deal.refunded_minor > coalesce(r.amount, 0) + coalesce(c.amount, 0) + coalesce(back.amount, 0)`,
  'the refund of a stray payment is confirmed without its posting, or posted without its confirmation': `
    SELECT r.id, r.status, owed.amount FROM escrow.refund r JOIN escrow.payment p ON p.id = r.payment_id
    LEFT JOIN account owed ON owed.account = 'unapplied:' || p.id
    WHERE p.stray AND r.origin = 'us' AND coalesce(owed.amount, 0) <> CASE WHEN r.status IN ('confirmed', 'void') THEN 0 ELSE r.amount_minor END`,
  'a fee of the provider is not posted exactly once': `
    SELECT p.transaction_id, p.fees, e.n FROM (
      SELECT transaction_id, count(provider_fee_minor) AS fees FROM escrow.payment GROUP BY transaction_id) p
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM escrow.journal_entry
      WHERE transaction_id = p.transaction_id AND kind = 'provider_fee') e WHERE p.fees <> e.n`,
  'a fee of our account at the provider is not posted exactly once': `
    SELECT currency, f.n, f.amount, e.n AS entries, e.amount AS posted FROM (
      SELECT currency, count(*) AS n, sum(amount_minor) AS amount FROM escrow.account_fee GROUP BY currency) f
    FULL JOIN (SELECT p.currency, count(*) AS n, sum(CASE p.debit WHEN 'provider_costs' THEN p.amount_minor ELSE -p.amount_minor END) AS amount
      FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id WHERE e.kind = 'account_fee' GROUP BY p.currency) e USING (currency)
    WHERE (f.n, f.amount) IS DISTINCT FROM (e.n, e.amount)`,
  'the paid invoices of Premium, or what went back of them, differ from their entries': `
    SELECT currency, i.n, i.paid, i.returned, e.n AS entries, e.paid AS posted, e.returned AS posted_back FROM (
      SELECT currency, count(*) AS n, sum(amount_minor) AS paid, sum(refunded_minor + charged_back_minor) AS returned
        FROM escrow.subscription_invoice WHERE status = 'paid' AND intent_id IS NOT NULL AND amount_minor > 0 GROUP BY currency) i
    FULL JOIN (SELECT p.currency, count(*) FILTER (WHERE e.kind = 'subscription_paid') AS n,
        coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'subscription_paid'), 0) AS paid,
        coalesce(sum(CASE p.debit WHEN 'revenue' THEN p.amount_minor ELSE -p.amount_minor END) FILTER (WHERE e.kind = 'subscription_returned'), 0) AS returned
      FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
      WHERE e.kind IN ('subscription_paid', 'subscription_returned') GROUP BY p.currency) e USING (currency)
    WHERE (i.n, i.paid, i.returned) IS DISTINCT FROM (e.n, e.paid, e.returned)`,
  'the open chargebacks differ from their account': `
    SELECT c.open, b.receivable FROM
      (SELECT coalesce(sum(amount_minor) FILTER (WHERE withdrawn AND status NOT IN ('won', 'lost')), 0) AS open
         FROM escrow.chargeback) c,
      (SELECT coalesce(-sum(amount), 0) AS receivable FROM balance WHERE account = 'chargeback_receivable') b
    WHERE c.open <> b.receivable`,
  'a deal that waits for a bank is not stopped': `
    SELECT deal.id, deal.status FROM escrow.transaction deal JOIN escrow.chargeback c ON c.transaction_id = deal.id
      AND c.payment_id = deal.settled_payment_id
    WHERE c.status IN ('inquiry', 'open') AND deal.status IN ('paid', 'in_progress', 'shipped', 'inspection')`,
  'the account of a payout differs from its status': `
    SELECT payout.id, payout.status, b.amount FROM escrow.payout
    LEFT JOIN account b ON b.account = 'payout_in_transit:' || payout.id
    WHERE coalesce(b.amount, 0) <> CASE WHEN payout.status IN ('scheduled', 'in_transit') THEN payout.amount_minor ELSE 0 END`,
  'a payout is not posted as often as its status says': `
    SELECT payout.id, payout.status, k.* FROM escrow.payout LEFT JOIN (
      SELECT CASE WHEN p.credit LIKE 'payout_in_transit:%' THEN p.credit ELSE p.debit END AS account,
        count(DISTINCT e.id) FILTER (WHERE e.kind = 'payout_sent') AS sent,
        count(DISTINCT e.id) FILTER (WHERE e.kind = 'payout_paid') AS paid,
        count(DISTINCT e.id) FILTER (WHERE e.kind = 'payout_returned') AS returned
      FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
      WHERE p.credit LIKE 'payout_in_transit:%' OR p.debit LIKE 'payout_in_transit:%' GROUP BY 1) k
      ON k.account = 'payout_in_transit:' || payout.id
    WHERE coalesce(k.sent, 0) <> 1 OR coalesce(k.returned, 0) <> (payout.status = 'returned')::int
      OR coalesce(k.paid, 0) <> (payout.arrived_at IS NOT NULL)::int`,
  'the deals of a payout do not add up to it': `
    SELECT payout.id, payout.amount_minor, d.amount, adjusted.amount AS adjusted FROM escrow.payout CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_minor), 0) AS amount FROM escrow.payout_deal WHERE payout_id = payout.id) d
    LEFT JOIN ${ADJUSTED} ON adjusted.account = 'seller_payable:' || payout.seller_id
    WHERE abs(payout.amount_minor - d.amount) > coalesce(adjusted.amount, 0)`,
  'more was paid out to a seller than was released or credited to them': `
    SELECT paid.seller_id, paid.amount, coalesce(released.amount, 0) AS released FROM (
      SELECT seller_id, sum(amount_minor) AS amount FROM escrow.payout WHERE status <> 'returned' GROUP BY seller_id) paid
    LEFT JOIN (
      SELECT p.credit, sum(p.amount_minor) AS amount FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
      WHERE e.kind IN ('release', 'settlement', 'adjustment') GROUP BY p.credit) released ON released.credit = 'seller_payable:' || paid.seller_id
    WHERE paid.amount > coalesce(released.amount, 0)`,
  'a seller without a lost chargeback or an adjustment is below zero': `
    SELECT account, sum(amount) FROM balance WHERE account LIKE 'seller_payable:%'
      AND account NOT IN (SELECT p.debit FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
        WHERE e.kind IN ('chargeback_lost', 'adjustment'))
    GROUP BY account HAVING sum(amount) < 0`,
  'a deal has two payments that are open or have succeeded': `
    SELECT transaction_id FROM escrow.payment WHERE NOT stray AND status IN ('creating', 'open', 'processing', 'succeeded')
    GROUP BY transaction_id HAVING count(*) > 1`,
  'the last status of the timeline differs from the deal’s status': `
    SELECT deal.id, deal.status, last.kind, last.status AS last_status FROM escrow.transaction deal CROSS JOIN LATERAL (
      SELECT kind, status FROM escrow.timeline WHERE transaction_id = deal.id ORDER BY version DESC, id DESC LIMIT 1) last
    WHERE last.status <> deal.status`,
  'the last clock entry differs from the deal’s clock': `
    SELECT deal.id, deal.clock, last.clock AS last_clock, last.change FROM escrow.transaction deal CROSS JOIN LATERAL (
      SELECT clock, change FROM escrow.clock_entry WHERE transaction_id = deal.id ORDER BY version DESC, id DESC LIMIT 1) last
    WHERE (deal.clock IS NULL) <> (last.change IN ('stopped', 'paused')) OR deal.clock <> last.clock`,
  'the terms of a deal differ from the text that was hashed': `
    SELECT id FROM escrow.transaction WHERE terms_text IS NOT NULL
      AND (terms_hash <> sha256(convert_to(terms_text, 'UTF8')) OR terms - '{status,signedHash}'::text[] <> terms_text::jsonb)`,
  'the columns of a deal differ from its terms': `
    SELECT id FROM escrow.transaction WHERE (title, listing_id, seller_id::text, inspection_days, currency, price_minor) IS DISTINCT FROM
      (terms ->> 'title', (terms ->> 'listingId')::bigint, terms ->> 'sellerId', (terms ->> 'inspectionDays')::int,
        terms ->> 'currency', ((terms ->> 'price')::numeric * 100)::bigint)`,
  'a party accepted other terms than those of the deal': `
    SELECT deal.id, a.party, a.by FROM escrow.transaction deal JOIN escrow.acceptance a ON a.transaction_id = deal.id
    WHERE (a.terms_hash, a.terms_version, a.user_id)
      <> (deal.terms_hash, deal.terms_version, CASE a.party WHEN 'buyer' THEN deal.buyer_id ELSE deal.seller_id END)`,
  'a party did not sign what their acceptance says': `
    SELECT deal.id, a.party, a.at FROM escrow.transaction deal JOIN escrow.acceptance a ON a.transaction_id = deal.id AND a.by = 'signing'
    WHERE (a.party, a.user_id::text, a.at, encode(a.terms_hash, 'hex')) IS DISTINCT FROM (deal.terms ->> 'signedBy',
      CASE deal.terms ->> 'signedBy' WHEN 'seller' THEN deal.terms ->> 'sellerId' ELSE deal.terms #>> '{deal,buyerId}' END,
      (deal.terms ->> 'signedAt')::timestamptz, deal.terms ->> 'signedHash')`,
  'a buyer has the item of a seller who has not accepted the deal': `
    SELECT deal.id, deal.status FROM escrow.transaction deal WHERE deal.status IN ('in_progress', 'shipped', 'delivered', 'inspection')
      AND NOT EXISTS (SELECT FROM escrow.acceptance a WHERE a.transaction_id = deal.id AND a.party = 'seller')`,
  'a deal was released to a seller who has not accepted it': `
    SELECT e.transaction_id FROM escrow.journal_entry e WHERE e.kind = 'release'
      AND NOT EXISTS (SELECT FROM escrow.acceptance a WHERE a.transaction_id = e.transaction_id AND a.party = 'seller')`,
  'a clock was stopped or paused while it was not running': `
    SELECT transaction_id, clock, change, before FROM (
      SELECT transaction_id, clock, change, lag(clock || ' ' || change) OVER (PARTITION BY transaction_id ORDER BY version, id) AS before
      FROM escrow.clock_entry) e
    WHERE change IN ('stopped', 'paused') AND before NOT IN (clock || ' started', clock || ' resumed', clock || ' extended')`,
}

/**
 * `balance`: for every posting, its two accounts with its effect on them: credits less debits. `account`: their sums. A query joins these,
 * so that it reads the ledger once and not once for each of its rows.
 */
const BALANCE = `WITH balance AS (
  SELECT credit AS account, amount_minor AS amount FROM escrow.posting
  UNION ALL SELECT debit, -amount_minor FROM escrow.posting),
account AS (SELECT account, sum(amount) AS amount FROM balance GROUP BY account)`

/** A fault of the program can break a rule for every deal. */
const MAX_SHOWN = 20

/** What must always be true, each named after the fault. */
export const RULES: readonly string[] = Object.keys(INVARIANTS)

/** The rows that break a rule, at most `MAX_SHOWN`. `MATERIALIZED` keeps the limit out of the plan of the rule: a plan for the first rows is slow when there are none. */
export async function rowsAgainst(
  rule: string,
  query: (sql: string) => Promise<{ rows: object[] }>,
): Promise<object[]> {
  const { rows } = await query(
    `${BALANCE}, found AS MATERIALIZED (${INVARIANTS[rule]}) SELECT * FROM found LIMIT ${MAX_SHOWN}`,
  )
  return rows
}

/** The violated invariants of the money and of the deals, as sentences. In a correct escrow the list is always empty. */
export async function violations(database: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const found: string[] = []
  for (const rule of RULES)
    for (const row of await rowsAgainst(rule, sql => database.query(sql))) found.push(`${rule}: ${JSON.stringify(row)}`)
  return found
}
