import { CONSOLE } from './console.js'
import { deal, disputeCase, NO_DISPUTES, TO_RULE } from './parts.js'
import { toPartialRuling } from './steps.js'

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
      ...{ status: 403, contentType: 'application/json' },
      body: JSON.stringify({ code: 'ADMIN_NEEDS_SECOND_FACTOR', message: '', error: '', details: null, requestId: '' }),
    },
  },
  ...CONSOLE,
]
