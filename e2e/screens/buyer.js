import { deal, disputeCase, failing, LEDGER, OVERDUE, overdue, RULED, STOPPED, UNPAID } from './parts.js'
import { choose, press, toDeclined, toRefusedByBank } from './steps.js'

/** What the payment page shows once the price and the card form are there, and what it shows for an empty card. */
const CARD_FORM = ['Total due', 'Card Number']
const CARD_FAULTS = [
  'Enter the number on the front of the card.',
  'Enter the month and year the card expires.',
  'Enter the security code of the card.',
  'Enter the name as it stands on the card.',
]

export const BUYER = [
  { name: 'dashboard', path: '/dashboard', shows: ['Active Transactions', 'You paid, after the refund $0.00'] },
  {
    name: 'dashboard, load failed',
    path: '/dashboard',
    shows: 'Error Loading Dashboard',
    answer: failing(/\/api\/transactions\b/),
  },
  { name: 'buying', path: '/dashboard?tab=buying', shows: 'You paid, after the refund $0.00' },
  { name: 'listing to buy', path: deals => `/listing/${deals.active.id}`, shows: 'Buy with Escrow Protection' },
  { name: 'transaction, pending', path: deal('pending'), shows: ['Send Funds', UNPAID] },
  {
    name: 'transaction, paid',
    path: deal('paid'),
    shows: ['I Already Have the Item', /foam inside, a second box outside/, LEDGER],
  },
  {
    name: 'transaction, handed over',
    path: deal('in_progress'),
    shows: [/^Your turn: confirm the hand-over by /, 'Confirm Delivery', LEDGER],
  },
  {
    name: 'transaction, shipped',
    path: deal('shipped'),
    shows: ['On its way to you', 'Shipping and Tracking', LEDGER],
  },
  {
    name: 'transaction, shipped as is',
    path: deal('asIs'),
    shows: [/^The item is sold as-is: when you confirm delivery, the money goes to Sebastian at once\./, LEDGER],
  },
  {
    name: 'confirming the delivery of what is sold as is',
    path: deal('asIs'),
    shows: 'Confirm Delivery',
    prepare: press('Confirm Delivery'),
    reveals: ['Has the item arrived?', /^It Arrived, Release \$/],
  },
  { name: 'transaction, inspection', path: deal('inspection'), shows: ['Accept Item', LEDGER] },
  {
    name: 'accepting',
    path: deal('inspection'),
    shows: 'Accept Item',
    prepare: press('Accept Item'),
    reveals: /^Accept and Release \$/,
  },
  { name: 'transaction, completed', path: deal('completed'), shows: ['Nothing is left to do.', LEDGER] },
  { name: 'transaction, refunded', path: deal('cancelled'), shows: [/^The refund (is on its way|was sent)$/, LEDGER] },
  { name: 'transaction, disputed', path: deal('disputed'), shows: [STOPPED, LEDGER] },
  {
    name: 'transaction, overdue',
    path: deal('shipped'),
    shows: [OVERDUE, 'Confirm Delivery', LEDGER],
    answer: overdue('confirm_delivery'),
  },
  {
    name: 'transaction, live updates interrupted',
    path: deal('inspection'),
    shows: /^Live updates are interrupted\. This page may be out of date since /,
    answer: failing(/\/api\/events$/),
  },
  {
    name: 'transaction, not found',
    path: '/transaction/999999999',
    shows: 'Transaction Not Found',
    refused: ['404: GET /api/transactions/999999999'],
  },
  {
    name: 'transaction, load failed',
    path: deal('paid'),
    shows: 'The transaction could not be loaded',
    answer: failing(/\/api\/transactions\/\d+$/),
  },
  { name: 'payment by card', path: deals => `/send-funds/${deals.pending.id}`, shows: CARD_FORM },
  {
    name: 'payment by bank',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: CARD_FORM,
    prepare: choose('Bank'),
    reveals: ['Not open yet', 'Payments from a bank account are not offered at present. Nothing is charged here.'],
  },
  {
    name: 'payment by crypto',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: CARD_FORM,
    prepare: choose('Crypto'),
    reveals: ['Not open yet', /^Payments in cryptocurrency are not offered at present\. Nothing is charged here/],
  },
  {
    name: 'payment, with mistakes',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: CARD_FORM,
    prepare: press(/^Pay \$/),
    reveals: CARD_FAULTS,
  },
  {
    name: 'payment, card declined',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: CARD_FORM,
    prepare: toDeclined,
    reveals: ['Payment Failed', / Nothing was charged\. Check the card, or use another one\.$/],
    refused: [/^402: POST .*\/confirm$/],
  },
  {
    name: 'payment, refused on the bank’s page',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: CARD_FORM,
    prepare: toRefusedByBank,
    reveals: ['Payment Failed', /^Your bank did not confirm the payment\. Nothing was charged\./, 'Card Number'],
  },
  {
    name: 'payment, processing',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Processing...',
    answer: { to: /\/v1\/payment_intents\//, status: 200, json: { status: 'processing' } },
  },
  {
    name: 'payment, outcome unknown',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'We do not know yet whether your card was charged',
    answer: failing(/\/v1\/payment_intents\//),
  },
  {
    name: 'payment, provider away',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Paying is not possible right now',
    answer: failing(/\/api\/transactions\/\d+\/payments/),
  },
  {
    name: 'payment, load failed',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Error loading transaction',
    answer: failing(/\/api\/transactions\/\d+$/),
  },
  {
    name: 'payment, nothing to pay',
    path: deals => `/send-funds/${deals.paid.id}`,
    shows: 'There is nothing to pay here any more.',
  },
  {
    name: 'item shipped',
    path: deals => `/item-shipped/${deals.shipped.id}`,
    shows: ['Tracking Status', 'Last updated'],
  },
  { name: 'messages', path: '/messages', shows: 'What works today' },
  { name: 'disputes', path: '/disputes', shows: ['Pending Review', /^Held \$/, 'File New Dispute'] },
  { name: 'file a dispute', path: '/file-dispute', shows: ['Select Transaction', 'Brass sextant in its box'] },
  {
    name: 'case',
    path: disputeCase,
    shows: [
      /^Sebastian has until .+ to answer$/,
      'The crack runs from 2 to 7.',
      'You propose to get $40.00 of the price back. Sebastian has not answered yet.',
    ],
  },
  {
    name: 'case, appealing',
    path: disputeCase,
    shows: [/^You can appeal until /, 'The glass can be replaced.'],
    prepare: press('Appeal'),
    reveals: 'Appeal against the ruling?',
    answer: RULED,
  },
  {
    name: 'disputes, load failed',
    path: '/disputes',
    shows: 'Your disputes could not be loaded',
    answer: failing(/\/api\/disputes\//),
  },
]
