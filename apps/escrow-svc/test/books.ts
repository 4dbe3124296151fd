import type pg from 'pg'

/** Each finds rows that must never be; what it selects is what the report says. */
const MUST_FIND_NOTHING: Readonly<Record<string, string>> = {
  'the hold of a deal differs from its postings': `
    SELECT t.id, t.hold_minor, coalesce(h.posted, 0) AS posted FROM escrow.transaction t LEFT JOIN (
      SELECT account, sum(amount) AS posted FROM balance GROUP BY account) h ON h.account = 'hold:' || t.id
    WHERE t.hold_minor <> coalesce(h.posted, 0)`,
  'the balances on a deal’s row differ from its postings': `
    SELECT t.id, t.released_minor, t.refunded_minor, t.revenue_minor, p.* FROM escrow.transaction t CROSS JOIN LATERAL (
      SELECT coalesce(sum(p.amount_minor) FILTER (WHERE p.credit = 'seller_payable:' || t.seller_id), 0) AS released,
        coalesce(sum(p.amount_minor) FILTER (WHERE p.credit = 'refund_due:' || t.id), 0) AS refunded,
        coalesce(sum(p.amount_minor) FILTER (WHERE p.credit = 'revenue'), 0) AS revenue
      FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
      WHERE e.transaction_id = t.id AND e.kind IN ('charge', 'release', 'refund')) p
    WHERE (t.released_minor, t.refunded_minor, t.revenue_minor) <> (p.released, p.refunded, p.revenue)`,
  'a deal names another payment than the one that settled it': `
    SELECT t.id, t.settled_payment_id, p.id AS payment FROM escrow.transaction t
    FULL JOIN (SELECT id, transaction_id FROM escrow.payment WHERE status = 'succeeded' AND NOT stray) p
      ON p.transaction_id = t.id WHERE t.settled_payment_id IS DISTINCT FROM p.id`,
  'a posting is not positive': 'SELECT entry_id, n FROM escrow.posting WHERE amount_minor <= 0',
  'debits and credits differ': 'SELECT sum(amount) FROM balance HAVING sum(amount) <> 0',
  'a posting has no entry': `
    SELECT p.entry_id FROM escrow.posting p LEFT JOIN escrow.journal_entry e ON e.id = p.entry_id WHERE e.id IS NULL`,
  'an account is below zero that never may be': `
    SELECT account, sum(amount) FROM balance WHERE account ~ '^(hold|refund_due|unapplied):'
    GROUP BY account HAVING sum(amount) < 0`,
  'a hold is not settled exactly once': `
    SELECT t.id, t.status, t.paid_at, k.* FROM escrow.transaction t CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE kind = 'charge') AS charges, count(*) FILTER (WHERE kind = 'release') AS releases,
        count(*) FILTER (WHERE kind = 'refund') AS refunds
      FROM escrow.journal_entry WHERE transaction_id = t.id) k
    WHERE k.charges <> (t.paid_at IS NOT NULL)::int OR k.releases <> (t.status = 'completed')::int
      OR k.refunds <> (t.status = 'cancelled' AND t.paid_at IS NOT NULL)::int`,
  'released, refunded and held do not make up what was charged': `
    SELECT t.id, m.* FROM escrow.transaction t CROSS JOIN LATERAL (
      SELECT coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'charge'), 0) AS charged,
        coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'release'), 0) AS released,
        coalesce(sum(p.amount_minor) FILTER (WHERE e.kind = 'refund'), 0) AS refunded
      FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id WHERE e.transaction_id = t.id) m
    WHERE m.charged <> m.released + m.refunded + t.hold_minor
      OR m.charged <> CASE WHEN t.paid_at IS NULL THEN 0 ELSE t.price_minor + t.buyer_fee_minor END`,
  'a release does not pay what was agreed': `
    SELECT t.id, p.credit, p.amount_minor FROM escrow.transaction t
    JOIN escrow.journal_entry e ON e.transaction_id = t.id AND e.kind = 'release'
    JOIN escrow.posting p ON p.entry_id = e.id
    WHERE (p.credit, p.amount_minor) NOT IN (
      ('seller_payable:' || t.seller_id, t.price_minor - t.seller_fee_minor),
      ('revenue', t.buyer_fee_minor + t.seller_fee_minor))`,
  'a payment that strayed is not booked once': `
    SELECT p.id, p.transaction_id FROM escrow.payment p CROSS JOIN LATERAL (
      SELECT count(*) AS n FROM escrow.posting WHERE credit = 'unapplied:' || p.id AND debit = 'provider_clearing') s
    WHERE s.n <> p.stray::int`,
  'money that goes back has no single refund': `
    SELECT e.transaction_id, e.kinds, r.n FROM (
      SELECT transaction_id, count(*) AS kinds FROM escrow.journal_entry WHERE kind IN ('refund', 'stray_payment')
      GROUP BY transaction_id) e
    FULL JOIN (SELECT transaction_id, count(*) AS n FROM escrow.refund GROUP BY transaction_id) r USING (transaction_id)
    WHERE e.kinds IS DISTINCT FROM r.n`,
  'a refund is confirmed and not posted, or posted and not confirmed': `
    SELECT r.id, r.status, owed.amount FROM escrow.refund r JOIN escrow.payment p ON p.id = r.payment_id
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS amount FROM balance
      WHERE account = CASE WHEN p.stray THEN 'unapplied:' || p.id ELSE 'refund_due:' || r.transaction_id END) owed
    WHERE owed.amount <> CASE r.status WHEN 'confirmed' THEN 0 ELSE r.amount_minor END`,
  'a fee of the provider is not posted once': `
    SELECT p.transaction_id, p.fees, e.n FROM (
      SELECT transaction_id, count(provider_fee_minor) AS fees FROM escrow.payment GROUP BY transaction_id) p
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM escrow.journal_entry
      WHERE transaction_id = p.transaction_id AND kind = 'provider_fee') e WHERE p.fees <> e.n`,
  'two payments of a deal are open or settled': `
    SELECT transaction_id FROM escrow.payment WHERE NOT stray AND status IN ('creating', 'open', 'processing', 'succeeded')
    GROUP BY transaction_id HAVING count(*) > 1`,
  'the timeline ends elsewhere than the deal': `
    SELECT t.id, t.status, last.kind, last.status AS told FROM escrow.transaction t CROSS JOIN LATERAL (
      SELECT kind, status FROM escrow.timeline WHERE transaction_id = t.id ORDER BY id DESC LIMIT 1) last
    WHERE last.status <> t.status`,
  'the clock’s entries and the clock differ': `
    SELECT t.id, t.clock, last.clock AS told, last.change FROM escrow.transaction t CROSS JOIN LATERAL (
      SELECT clock, change FROM escrow.clock_entry WHERE transaction_id = t.id ORDER BY id DESC LIMIT 1) last
    WHERE (t.clock IS NULL) <> (last.change IN ('stopped', 'paused')) OR t.clock <> last.clock`,
  'a clock was stopped or paused that did not run': `
    SELECT transaction_id, clock, change, before FROM (
      SELECT transaction_id, clock, change, lag(clock || ' ' || change) OVER (PARTITION BY transaction_id ORDER BY id) AS before
      FROM escrow.clock_entry) e
    WHERE change IN ('stopped', 'paused') AND before NOT IN (clock || ' started', clock || ' resumed', clock || ' extended')`,
}

/** Every account with what each posting did to it: credits less debits. */
const BALANCE = `WITH balance AS (
  SELECT credit AS account, amount_minor AS amount FROM escrow.posting
  UNION ALL SELECT debit, -amount_minor FROM escrow.posting)`

/** What is wrong with the books of an escrow, in sentences. Whatever happened before: this is empty, or it is an incident. */
export async function violations(database: pg.Pool): Promise<string[]> {
  const found: string[] = []
  for (const [sentence, sql] of Object.entries(MUST_FIND_NOTHING)) {
    const { rows } = await database.query(`${BALANCE} ${sql}`)
    for (const row of rows) found.push(`${sentence}: ${JSON.stringify(row)}`)
  }
  return found
}

/** Which events each line of a timeline stands for. */
const EVENTS_OF: Readonly<Record<string, readonly string[]>> = {
  open: ['opened'],
  recordFunds: ['paid'],
  paymentFailed: ['payment_failed'],
  startHandover: ['handover_started'],
  saveTracking: ['shipped'],
  correctTracking: ['shipped'],
  recordDelivery: ['delivered'],
  confirmDelivery: ['delivered'],
  inspect: ['inspection_started'],
  complete: ['completed'],
  refund: ['refunded', 'cancelled'],
  endShipBy: ['refunded', 'cancelled'],
  cancel: ['cancelled'],
  endPaymentWindow: ['cancelled'],
  freeze: ['disputed'],
  endReceiveBy: ['disputed'],
  resume: ['resumed'],
}

/** How many events wait in the outbox. */
export async function waitingEvents(database: pg.Pool): Promise<number> {
  return (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM escrow.outbox')).rows[0]!.n
}

/** Deals whose events in the log are not exactly their timeline, in order. Ask once the outbox is empty. */
export async function eventDifferences(database: pg.Pool): Promise<string[]> {
  const { rows } = await database.query<{ id: string; kinds: string[]; types: string[] }>(
    `SELECT t.id, (SELECT array_agg(kind ORDER BY f.id) FROM escrow.timeline f WHERE f.transaction_id = t.id) AS kinds,
       coalesce((SELECT array_agg(type ORDER BY l.position) FROM events.log l
         WHERE l.topic = 'escrow.transaction' AND l.key = t.id::text), '{}') AS types FROM escrow.transaction t`,
  )
  return rows.flatMap(({ id, kinds, types }) => {
    const wanted = kinds.flatMap(kind => EVENTS_OF[kind] ?? []).join(' ')
    const found = types.map(type => type.split('.')[2]).join(' ')
    return wanted === found ? [] : [`deal ${id} lived through “${wanted}” and told “${found}”`]
  })
}
