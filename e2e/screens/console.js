import { press } from './steps.js'

const ID = '01999999-0000-7000-8000-000000000001'
const HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString()

const refunds = {
  to: /\/api\/admin\/refunds$/,
  status: 200,
  json: [
    {
      ...{ id: ID, transactionId: 7, amount: '1234.50', currency: 'USD', status: 'failed', attempts: 3 },
      ...{ lastError: 'The card is closed', updatedAt: HOUR_AGO },
    },
  ],
}
const approvals = {
  to: /\/api\/admin\/approvals\?/,
  status: 200,
  json: [
    {
      ...{ id: ID, kind: 'refund.force', subject: 'transaction:7', amount: '907.00', currency: 'USD' },
      ...{ input: { transactionId: 7 }, reason: 'Both parties wrote to us', askedBy: ID, askedAt: HOUR_AGO },
      ...{ expiresAt: HOUR_AGO, state: 'waiting', decidedBy: null, decidedAt: null, decisionReason: null },
    },
  ],
}
const stuck = {
  to: /\/api\/admin\/stuck/,
  status: 200,
  json: [
    {
      ...{
        kind: 'clock_overdue',
        id: '7',
        transactionId: 7,
        since: HOUR_AGO,
        runbook: 'money.md#deadlines-pass-and-nothing-happens',
      },
      text: 'The clock ship_by is due and was not ended.',
    },
  ],
}
const deadLetters = {
  to: /\/api\/admin\/dead-letters/,
  status: 200,
  json: [
    {
      ...{ id: 4, group: 'messaging-svc', topic: 'escrow.transaction', key: '7', eventId: ID, requestId: null },
      ...{ type: 'escrow.transaction.paid.v1', attempts: 5, error: 'no such text', at: HOUR_AGO },
      ...{ occurredAt: HOUR_AGO, replayRequestedAt: null, replayedAt: null },
    },
  ],
}
const providerEvents = {
  to: /\/api\/admin\/provider-events\/open(\?|$)/,
  status: 200,
  json: [
    {
      ...{ id: 'evt_1TzT4hJ2eZvKYlo2C0nqX9aB', why: 'unfitting', about: 'charge.dispute.funds_withdrawn' },
      ...{ transactionId: null, at: HOUR_AGO },
    },
    {
      ...{ id: ID, why: 'refund_of_ended_deal', about: 're_3TzT4hJ2eZvKYlo21nqX9aBc' },
      ...{ transactionId: 7, at: HOUR_AGO },
    },
    {
      ...{ id: ID.replace(/1$/, '2'), why: 'chargeback_returned', about: 'du_1TzT4hJ2eZvKYlo2C0nqX9aB' },
      ...{ transactionId: 8, at: HOUR_AGO },
    },
  ],
}
const acts = {
  to: /\/api\/admin\/audit/,
  status: 200,
  json: [
    {
      ...{
        id: ID,
        at: HOUR_AGO,
        actorId: ID,
        commandLineUser: null,
        act: 'refund.force',
        subject: 'transaction:7',
        reason: 'They agreed',
      },
      ...{ before: { status: 'disputed', held: '107.00' }, after: { status: 'cancelled', held: '0.00' } },
    },
  ],
}

const verifications = {
  to: /\/api\/admin\/verifications/,
  status: 200,
  json: [
    {
      ...{ submissionId: ID, userId: ID, firstName: 'Vera', lastName: 'Oyelaran-Montgomery', username: 'vera' },
      ...{ email: 'vera.oyelaran-montgomery@mail.example', submittedAt: HOUR_AGO },
    },
  ],
}

const ENQUIRY = {
  ...{
    id: ID,
    number: 1042,
    kind: 'enterprise',
    state: 'open',
    name: 'Bo Lund',
    email: 'bo@lund.example',
    userId: null,
  },
  ...{ subject: 'Lund & Co', message: 'We sell boats, many boats.', createdAt: HOUR_AGO, answer: null },
  facts: { Company: 'Lund & Co', 'Job title': 'CFO', 'Company size': '50-99 employees', 'Monthly volume': '$1M-$5M' },
}
const ANSWERED = { state: 'answered', answer: { text: 'With pleasure.', by: ID, at: HOUR_AGO } }
const enquiries = (more = {}) => ({ to: /\/api\/admin\/enquiries/, status: 200, json: [{ ...ENQUIRY, ...more }] })

const payouts = {
  to: /\/api\/admin\/payouts$/,
  status: 200,
  json: [
    {
      ...{ id: ID, sellerId: ID, amount: '98.50', currency: 'USD', status: 'returned', attempts: 0, lastError: null },
      ...{ failure: 'The bank account is closed.', updatedAt: HOUR_AGO },
    },
  ],
}

/** Opens the first row of a list by the keyboard. */
async function openFirst(page) {
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
}
const EMPTY = to => ({ to, status: 200, json: [] })

/** The operator's console. What it lists needs faults that no journey causes, so the server's answers are replaced. */
export const CONSOLE = [
  { name: 'console', path: '/admin', shows: [/ held$/, 'What needs an operator now.'] },
  {
    name: 'console, keys',
    path: '/admin',
    shows: / held$/,
    prepare: page => page.keyboard.press('?'),
    reveals: 'Keys of the console',
  },
  { name: 'approvals', path: '/admin/approvals', shows: 'Waits', answer: approvals },
  {
    name: 'approvals, none',
    path: '/admin/approvals',
    shows: 'Nothing waits for a second admin.',
    answer: EMPTY(/\/api\/admin\/approvals\?/),
  },
  {
    name: 'approval',
    path: '/admin/approvals',
    shows: 'Waits',
    answer: approvals,
    prepare: openFirst,
    reveals: 'Approve and do it',
  },
  { name: 'refunds', path: '/admin/refunds', shows: 'The card is closed', answer: refunds },
  {
    name: 'refund, sending again without a reason',
    path: '/admin/refunds',
    shows: 'The card is closed',
    answer: refunds,
    prepare: async page => {
      await openFirst(page)
      await press('Send again')(page)
    },
    reveals: 'Say why: it is kept with the act.',
  },
  {
    name: 'refunding a deal',
    path: '/admin/refunds',
    shows: 'The card is closed',
    answer: refunds,
    prepare: press('Refund a deal'),
    reveals: 'Refund in full',
  },
  { name: 'payouts', path: '/admin/payouts', shows: 'The bank account is closed.', answer: payouts },
  {
    name: 'payout',
    path: '/admin/payouts',
    shows: 'The bank account is closed.',
    answer: payouts,
    prepare: openFirst,
    reveals: 'Pay out again',
  },
  { name: 'stuck', path: '/admin/stuck', shows: 'The clock ship_by is due and was not ended.', answer: stuck },
  { name: 'dead letters', path: '/admin/dead-letters', shows: 'no such text', answer: deadLetters },
  {
    name: 'dead letter',
    path: '/admin/dead-letters',
    shows: 'no such text',
    answer: deadLetters,
    prepare: openFirst,
    reveals: 'All of its type',
  },
  {
    name: 'provider events',
    path: '/admin/provider-events',
    shows: [
      /^3 of \d+ shown$/,
      'Does not fit what is stored',
      'docs/runbooks/chargebacks.md#a-bank-decides-a-second-time',
    ],
    answer: providerEvents,
  },
  {
    name: 'provider event',
    path: '/admin/provider-events',
    shows: 'Does not fit what is stored',
    answer: providerEvents,
    prepare: openFirst,
    reveals: 'Say what you did. It is kept in the audit log.',
  },
  {
    name: 'provider events, none',
    path: '/admin/provider-events',
    shows: 'No event needs an operator.',
    answer: EMPTY(/\/api\/admin\/provider-events\/open(\?|$)/),
  },
  { name: 'ledger', path: '/admin/ledger', shows: ['It fits what the deals hold', 'revenue'] },
  {
    name: 'ledger, adjusting',
    path: '/admin/ledger',
    shows: 'It fits what the deals hold',
    prepare: press('Adjust'),
    reveals: 'Post the entry',
  },
  {
    name: 'ledger, adjusting above the limit',
    path: '/admin/ledger',
    shows: 'It fits what the deals hold',
    prepare: async page => {
      await press('Adjust')(page)
      for (const [label, value] of Object.entries({ Debit: 'provider_costs', Credit: 'revenue', Amount: '600' }))
        await page.getByLabel(label, { exact: true }).fill(value)
      await page.getByRole('table', { name: 'Balances before and after' }).waitFor()
    },
    reveals: 'Ask for approval',
  },
  {
    name: 'accounts of a transaction',
    path: deals => `/admin/ledger?q=${deals.paid.id}`,
    shows: [/^Accounts found for/, /^hold:\d+$/],
  },
  { name: 'statement', path: deals => `/admin/ledger?account=hold:${deals.paid.id}`, shows: 'charge' },
  { name: 'users', path: '/admin/users', shows: /^@/ },
  { name: 'user', path: '/admin/users', shows: /^@/, prepare: openFirst, reveals: /^Live sessions/ },
  { name: 'verifications', path: '/admin/verifications', shows: '@vera', answer: verifications },
  {
    name: 'verification, to look at',
    path: '/admin/verifications',
    shows: '@vera',
    answer: verifications,
    prepare: openFirst,
    reveals: 'Show Documents',
  },
  {
    name: 'verifications, none',
    path: '/admin/verifications',
    shows: 'No documents wait for a review.',
    answer: { ...verifications, json: [] },
  },
  { name: 'enquiries', path: '/admin/enquiries', shows: 'Lund & Co', answer: enquiries() },
  {
    name: 'enquiry, to answer',
    path: '/admin/enquiries',
    shows: 'Lund & Co',
    answer: enquiries(),
    prepare: openFirst,
    reveals: 'Close without an Answer',
  },
  {
    name: 'enquiry, answered',
    path: '/admin/enquiries',
    shows: 'Lund & Co',
    answer: enquiries(ANSWERED),
    prepare: openFirst,
    reveals: 'With pleasure.',
  },
  { name: 'enquiries, none', path: '/admin/enquiries?q=zzzzqqqq', shows: 'No enquiry matches.' },
  { name: 'audit', path: '/admin/audit', shows: 'They agreed', answer: acts },
  { name: 'act', path: '/admin/audit', shows: 'They agreed', answer: acts, prepare: openFirst, reveals: 'disputed' },
]
