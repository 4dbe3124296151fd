import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import type { DealUnderTest } from '../test/deal-driver.js'
import { eventDifferences, waitingEvents } from '../test/published-events.js'
import { RunningEscrow } from '../test/running-escrow.js'
import { violations } from './ledger/invariants.js'

const PAYOUT = newId()
const ADD_PAYOUT = [
  `INSERT INTO escrow.payout_account (user_id, created_at, updated_at)
     SELECT seller_id, now(), now() FROM escrow.transaction WHERE id = $1`,
  `INSERT INTO escrow.payout (id, seller_id, amount_minor, currency, status, provider_account_id, created_at, updated_at)
     SELECT 'PAYOUT', seller_id, released_minor + 1, 'USD', 'scheduled', 'acct_1', now(), now()
     FROM escrow.transaction WHERE id = $1`,
]

/** Changes that the owner of the database can make and the service cannot. `$1` is a completed deal, `$2` a deal in inspection. */
const TAMPERINGS: readonly { readonly what: string; readonly sql: readonly string[]; readonly fault: string }[] = [
  {
    what: 'the amount of a posting was changed',
    sql: [`UPDATE escrow.posting SET amount_minor = amount_minor - 1 WHERE credit = 'hold:' || $2`],
    fault: 'the hold of a deal differs from its postings',
  },
  {
    what: 'the amount of a release was moved from the seller to our revenue',
    sql: [
      `UPDATE escrow.posting SET amount_minor = amount_minor + CASE credit WHEN 'revenue' THEN 1 ELSE -1 END
         WHERE entry_id = (SELECT id FROM escrow.journal_entry WHERE transaction_id = $1 AND kind = 'release')`,
    ],
    fault: 'a release does not pay what was agreed',
  },
  {
    what: 'a journal entry was deleted, and its postings were left',
    sql: [`DELETE FROM escrow.journal_entry WHERE transaction_id = $2 AND kind = 'charge'`],
    fault: 'a posting has no entry',
  },
  {
    what: 'a journal entry was deleted with its postings',
    sql: [
      `WITH entry AS (DELETE FROM escrow.journal_entry WHERE transaction_id = $1 AND kind = 'release' RETURNING id)
       DELETE FROM escrow.posting USING entry WHERE entry_id = entry.id`,
    ],
    fault: 'a deal is not charged, released and refunded as often as its status says',
  },
  {
    what: 'a journal entry was added that pays a seller a second time',
    sql: [
      `WITH entry AS (INSERT INTO escrow.journal_entry (id, transaction_id, kind, at) VALUES ('NEW', $1, 'release', now())
         RETURNING id)
       INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
         SELECT entry.id, 1, 'revenue', 'seller_payable:' || t.seller_id, 'USD', 100
         FROM entry, escrow.transaction t WHERE t.id = $1`,
    ],
    fault: 'the balances on a deal’s row differ from its postings',
  },
  {
    what: 'an unbalanced posting was added: a debit whose credit is negative',
    sql: [
      'ALTER TABLE escrow.posting DROP CONSTRAINT posting_amount_minor_check',
      `INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
         SELECT id, 9, 'revenue', 'hold:' || $2, 'USD', -100 FROM escrow.journal_entry
         WHERE transaction_id = $2 AND kind = 'charge'`,
    ],
    fault: 'a posting is not positive',
  },
  {
    what: 'the balances on the row of a deal were changed',
    sql: [
      'UPDATE escrow.transaction SET released_minor = released_minor + 1, revenue_minor = revenue_minor - 1 WHERE id = $1',
    ],
    fault: 'the balances on a deal’s row differ from its postings',
  },
  {
    what: 'a deal shows as refunded what nobody has sent',
    sql: [
      'UPDATE escrow.transaction SET released_minor = released_minor - 1, refunded_minor = refunded_minor + 1 WHERE id = $1',
    ],
    fault: 'a deal refunds more than its buyer has got or is owed',
  },
  {
    what: 'the price of a deal was changed',
    sql: [
      'UPDATE escrow.transaction SET price_minor = price_minor - 1, buyer_fee_minor = buyer_fee_minor + 1, platform_fee_minor = platform_fee_minor + 1 WHERE id = $2',
    ],
    fault: 'the columns of a deal differ from its terms',
  },
  {
    what: 'the description in the terms was changed',
    sql: [`UPDATE escrow.transaction SET terms = jsonb_set(terms, '{description}', '"Broken."') WHERE id = $2`],
    fault: 'the terms of a deal differ from the text that was hashed',
  },
  {
    what: 'the terms were changed with their text and their hash',
    sql: [
      `UPDATE escrow.transaction t SET terms = jsonb_set(terms, '{description}', '"Broken."'), terms_text = n.text,
         terms_hash = sha256(convert_to(n.text, 'UTF8'))
       FROM (SELECT replace(terms_text, 'A good one.', 'Broken.') AS text FROM escrow.transaction WHERE id = $2) n
       WHERE t.id = $2`,
    ],
    fault: 'a party accepted other terms than those of the deal',
  },
  {
    what: 'an acceptance was given to somebody else',
    sql: [`UPDATE escrow.acceptance SET user_id = 'NEW' WHERE transaction_id = $2 AND by = 'shipping'`],
    fault: 'a party accepted other terms than those of the deal',
  },
  {
    what: 'the signature of a seller was moved to another time',
    sql: [`UPDATE escrow.acceptance SET at = at - interval '1 hour' WHERE transaction_id = $2 AND by = 'signing'`],
    fault: 'a party did not sign what their acceptance says',
  },
  {
    what: 'a signature on other terms was joined to these',
    sql: [`UPDATE escrow.transaction SET terms = jsonb_set(terms, '{signedHash}', '"00"') WHERE id = $2`],
    fault: 'a party did not sign what their acceptance says',
  },
  {
    what: 'a signature was invented for the party who has not signed',
    sql: [
      `INSERT INTO escrow.acceptance (transaction_id, party, user_id, by, terms_version, terms_hash, at)
         SELECT transaction_id, party, user_id, 'signing', terms_version, terms_hash, at FROM escrow.acceptance
         WHERE transaction_id = $2 AND by = 'paying'`,
    ],
    fault: 'a party did not sign what their acceptance says',
  },
  {
    what: 'all that the seller did to accept was deleted, and the deal was released',
    sql: [`DELETE FROM escrow.acceptance WHERE transaction_id = $1 AND party = 'seller'`],
    fault: 'a deal was released to a seller who has not accepted it',
  },
  {
    what: 'all that the seller did to accept was deleted, and the buyer inspects',
    sql: [`DELETE FROM escrow.acceptance WHERE transaction_id = $2 AND party = 'seller'`],
    fault: 'a buyer has the item of a seller who has not accepted the deal',
  },
  {
    what: 'the last row of the timeline was rewritten',
    sql: [`UPDATE escrow.timeline SET status = 'paid' WHERE transaction_id = $2 AND kind = 'inspect'`],
    fault: 'the last status of the timeline differs from the deal’s status',
  },
  {
    what: 'the actor of an earlier step was rewritten',
    sql: [
      `UPDATE escrow.timeline SET actor = 'clock:deadline' WHERE transaction_id = $1 AND kind = 'accept'
             OR transaction_id = $1 AND kind = 'complete'`,
    ],
    fault: 'deal $1 should have published',
  },
  {
    what: 'a row of the timeline was deleted',
    sql: [`DELETE FROM escrow.timeline WHERE transaction_id = $2 AND kind = 'saveTracking'`],
    fault: 'deal $2 should have published',
  },
  {
    what: 'a row of a clock was deleted',
    sql: [`DELETE FROM escrow.clock_entry WHERE transaction_id = $2 AND clock = 'inspection'`],
    fault: 'the last clock entry differs from the deal’s clock',
  },
  {
    what: 'a payout was added for which nothing was set aside',
    sql: ADD_PAYOUT,
    fault: 'the account of a payout differs from its status',
  },
  {
    what: 'a payout of one cent more than was released was added with its entry',
    sql: [
      ...ADD_PAYOUT,
      `WITH entry AS (INSERT INTO escrow.journal_entry (id, kind, at) VALUES ('NEW', 'payout_sent', now()) RETURNING id)
       INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
         SELECT entry.id, 1, 'seller_payable:' || p.seller_id, 'payout_in_transit:' || p.id, 'USD', p.amount_minor
         FROM entry, escrow.payout p`,
      'INSERT INTO escrow.payout_deal (payout_id, transaction_id, amount_minor) SELECT id, $1, amount_minor FROM escrow.payout',
    ],
    fault: 'more was paid out to a seller than was released or credited to them',
  },
  {
    what: 'a payout names one cent less of its deal than it has',
    sql: [
      ...ADD_PAYOUT,
      'INSERT INTO escrow.payout_deal (payout_id, transaction_id, amount_minor) SELECT id, $1, amount_minor - 1 FROM escrow.payout',
    ],
    fault: 'the deals of a payout do not add up to it',
  },
  {
    what: 'a seller’s balance was reduced without an adjustment',
    sql: [
      `WITH entry AS (INSERT INTO escrow.journal_entry (id, kind, at) VALUES ('NEW', 'payout_sent', now()) RETURNING id)
       INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
         SELECT entry.id, 1, 'seller_payable:' || deal.seller_id, 'revenue', 'USD', deal.released_minor + 1
         FROM entry, escrow.transaction deal WHERE deal.id = $1`,
    ],
    fault: 'a seller without a lost chargeback or an adjustment is below zero',
  },
]

describe('the checker of the books finds, after the owner of the database has tampered with them, that', () => {
  let escrow: RunningEscrow
  let completed: DealUnderTest
  let inspected: DealUnderTest

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    completed = await escrow.inInspection()
    await escrow.act(completed.id, completed.buyer, 'accept')
    inspected = await escrow.inInspection()
    await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, 60_000)
  })
  afterAll(() => escrow.stop())

  const withIds = (text: string) =>
    text
      .replaceAll('$1', String(completed.id))
      .replaceAll('$2', String(inspected.id))
      .replaceAll('NEW', newId())
      .replaceAll('PAYOUT', PAYOUT)

  it('nothing is wrong before', async () => {
    expect(await escrow.violations()).toEqual([])
    expect(await eventDifferences(escrow.database.admin)).toEqual([])
  })

  it.each(TAMPERINGS)('$what', async ({ sql, fault }) => {
    const client = await escrow.database.admin.connect()
    try {
      await client.query('BEGIN')
      for (const statement of sql) await client.query(withIds(statement))
      const found = [...(await violations(client)), ...(await eventDifferences(client))]
      expect(found.filter(each => each.startsWith(withIds(fault)))).not.toEqual([])
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})
