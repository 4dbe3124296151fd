import { CONSOLE } from './console.js'
import { ABOVE_THE_LIMIT, asked, deal, disputeCase, NO_DISPUTES, TAKEN, TO_RULE } from './parts.js'
import { press, toPartialRuling, toReviewedRuling } from './steps.js'

/** An admin sees the screens of everybody, disputes with their cases, no other deal, and the console. */
export const ADMIN = [
  { name: 'dashboard', path: '/dashboard', shows: 'No Completed Transactions' },
  { name: 'listing', path: deals => `/listing/${deals.active.id}`, shows: 'Buy with Escrow Protection' },
  { name: 'disputes', path: '/disputes', shows: NO_DISPUTES },
  {
    name: 'dispute queue',
    path: '/admin/disputes',
    shows: ['Status', 'The seller’s turn'],
  },
  {
    name: 'case, to take',
    path: disputeCase,
    // The mediators' time limits are short in a shortened day.
    shows: [
      /^(Your turn: take the|Late: a mediator should have taken this) case by /,
      'Terms, as they were accepted',
      'Take the Case',
    ],
  },
  {
    name: 'case, to rule on, late',
    path: disputeCase,
    shows: [/^Late: a ruling was due /, 'Terms, as they were accepted', 'Review the Ruling'],
    prepare: toPartialRuling,
    reveals: 'What Beatrice gets back',
    answer: TO_RULE,
  },
  {
    name: 'case, asking a second admin for a ruling',
    path: disputeCase,
    shows: [/^Your turn: rule by /, 'Review the Ruling'],
    prepare: toReviewedRuling,
    reveals: ['Ask a second admin?', 'A second admin must approve it', 'Ask for Approval'],
    answer: ABOVE_THE_LIMIT,
  },
  {
    name: 'case, the own ruling waits for a second admin',
    path: disputeCase,
    shows: ['Your ruling waits for a second admin', 'To Sebastian', 'Take It Back'],
    answer: asked('reader'),
  },
  {
    name: 'case, a ruling to approve',
    path: disputeCase,
    shows: [/^Your turn: approve or reject the ruling that Noor asks for$/, 'To Sebastian', 'Approve the Ruling'],
    answer: asked('other'),
  },
  {
    name: 'case, a ruling to reject',
    path: disputeCase,
    shows: ['Approve the Ruling'],
    prepare: page => page.getByText('Reject', { exact: true }).first().click(),
    reveals: 'Reject the Ruling',
    answer: asked('other'),
  },
  {
    name: 'case, taken by another mediator',
    path: disputeCase,
    shows: [/^Noor has taken the case and rules by /, 'Noor Haddad has taken this case'],
    prepare: press('Take the Case Over'),
    reveals: ['Take this case over from Noor?', 'Take It Over'],
    answer: TAKEN,
  },
  { name: 'profile', path: '/profile', shows: ['Member since', 'This one', 'Marketing emails', 'Change Password'] },
  {
    name: 'transaction of others',
    path: deal('disputed'),
    shows: 'Transaction Not Found',
    refused: [/^404: GET \/api\/transactions\/\d+$/],
  },
  {
    name: 'console, before a second factor is set up',
    path: '/admin/audit',
    shows: ['Set up your second factor', 'Set Up App', 'Add a Passkey'],
    answer: {
      to: /\/api\/admin\/audit/,
      status: 403,
      json: { code: 'ADMIN_NEEDS_SECOND_FACTOR', message: '', error: '', details: null, requestId: '' },
    },
  },
  ...CONSOLE,
]
