import {
  BELOW_ZERO,
  chargedBack,
  deal,
  disputeCase,
  LEDGER,
  OVERDUE,
  overdue,
  PAYOUT_RECEIPT,
  RETURNED,
  STOPPED,
  UNPAID,
} from './parts.js'
import { press, toEdit, toEditMistakes, toEditPrice } from './steps.js'

/** What the owner's page of a listing shows while it can be bought. */
const ON_SALE = ['This is your listing', 'It is on sale: everybody can find it and buy it.']

export const SELLER = [
  {
    name: 'payments, below zero after a chargeback',
    path: '/profile?tab=payments',
    shows: ['Chargebacks', 'Your balance is below zero. Your next sales repay it before anything is paid out.'],
    answer: BELOW_ZERO,
  },
  {
    name: 'payout receipt',
    path: '/payouts/01890000-0000-7000-8000-000000000001',
    shows: ['Test Bank ending in 6789', '3 older transactions', 'Amount of the payout'],
    answer: PAYOUT_RECEIPT,
  },
  { name: 'messages', path: '/messages', shows: 'Beatrice Montgomery-Featherstone' },
  { name: 'selling', path: '/dashboard?tab=selling', shows: [/^You received \$/, 'Your Listings'] },
  { name: 'own listing', path: deals => `/listing/${deals.active.id}`, shows: ON_SALE },
  {
    name: 'own private listing',
    path: deals => `/listing/${deals.hidden.id}`,
    shows: ['Invitations', 'Not accepted yet', 'Send Again'],
  },
  {
    name: 'own listing, editing',
    path: deals => `/listing/${deals.active.id}`,
    shows: ON_SALE,
    prepare: toEdit,
    reveals: 'Save Changes',
  },
  {
    name: 'own listing, signing a change',
    path: deals => `/listing/${deals.active.id}`,
    shows: ON_SALE,
    prepare: toEditPrice,
    reveals: ['Sign what you have changed', 'Digital Signature'],
  },
  {
    name: 'own listing, editing with mistakes',
    path: deals => `/listing/${deals.active.id}`,
    shows: ON_SALE,
    prepare: toEditMistakes,
    reveals: 'Enter a title',
  },
  {
    name: 'own listing, taking off sale',
    path: deals => `/listing/${deals.active.id}`,
    shows: ON_SALE,
    prepare: press('Take off Sale'),
    reveals: 'Take this listing off sale?',
  },
  {
    name: 'own listing, off sale',
    path: deals => `/listing/${deals.offSale.id}`,
    shows: ['Offer Again', 'List as New'],
  },
  {
    name: 'own listing, listing it as new',
    path: deals => `/listing/${deals.offSale.id}`,
    shows: 'List as New',
    prepare: press('List as New'),
    reveals: ['List this item as new?', 'Digital Signature'],
  },
  {
    name: 'own listing, in a transaction',
    path: deals => `/listing/${deals.shipped.listing.id}`,
    shows: [/^A transaction holds it\./, 'View Transaction'],
  },
  {
    name: 'statement',
    path: deals => `/transaction/${deals.completed.id}/statement`,
    shows: ['What was agreed', 'What happened', 'Where the money went', 'Print'],
  },
  { name: 'transaction, pending', path: deal('pending'), shows: ['Decline Transaction', UNPAID] },
  { name: 'transaction, paid', path: deal('paid'), shows: ['Ship Item', LEDGER] },
  {
    name: 'transaction, paid by a buyer who has named them',
    path: deal('named'),
    shows: [/^Your turn: ship or decline by /, /^Beatrice has named you as the seller/, LEDGER],
  },
  {
    name: 'declining what a buyer has opened in their name',
    path: deal('named'),
    shows: [/^Your turn: ship or decline by /, LEDGER],
    prepare: press('Decline Transaction'),
    reveals: /^Everything Beatrice paid goes back, fees included\. You pay nothing\./,
  },
  {
    name: 'item to ship, which accepts the terms',
    path: deals => `/item-shipped/${deals.named.id}`,
    shows: ['Save Tracking Info', /^By this you accept the terms of this transaction/],
  },
  {
    name: 'accepting by handing over',
    path: deal('named'),
    shows: [/^Your turn: ship or decline by /, LEDGER],
    prepare: press('Hand Over in Person'),
    reveals: /^By this you accept the terms of this transaction/,
  },
  {
    name: 'refunding',
    path: deal('paid'),
    shows: ['Ship Item', LEDGER],
    prepare: press('Refund in Full'),
    reveals: /^Everything Beatrice paid goes back, fees included\./,
  },
  {
    name: 'transaction, shipped',
    path: deal('shipped'),
    shows: ['On its way to Beatrice', 'Shipping and Tracking', LEDGER],
  },
  {
    name: 'transaction, inspection',
    path: deal('inspection'),
    shows: [/^Marine chronometer/, /^Waiting for Beatrice to inspect and accept, /, 'Refund in Full', LEDGER],
  },
  {
    name: 'transaction, completed',
    path: deal('completed'),
    shows: ['Nothing is left to do.', LEDGER, 'Publish Review'],
  },
  {
    name: 'transaction, disputed by the bank after the release',
    path: deal('completed'),
    shows: ['Beatrice’s bank disputes the payment', /^Holdfast answers the bank\./, LEDGER],
    answer: chargedBack,
  },
  { name: 'transaction, disputed', path: deal('disputed'), shows: [STOPPED, LEDGER] },
  {
    name: 'case, to answer',
    path: disputeCase,
    shows: [/^Your turn: answer by /, 'Beatrice proposes to get $40.00 of the price back.', 'Send Answer'],
  },
  {
    name: 'case, checking the return',
    path: disputeCase,
    shows: [/^Your turn: look at what came back by /, 'HF0000000000'],
    prepare: press('The Item Is Back'),
    reveals: 'Is the item back with you?',
    answer: RETURNED,
  },
  {
    name: 'transaction, overdue',
    path: deal('shipped'),
    shows: [OVERDUE, 'Refund in Full', LEDGER],
    answer: overdue('refund'),
  },
  {
    name: 'payment is the buyer’s',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: /^The buyer pays for this transaction; nothing is charged to you here\.$/,
  },
  {
    name: 'item to ship',
    path: deals => `/item-shipped/${deals.paid.id}`,
    shows: ['Save Tracking Info', 'Manual Delivery Confirmation'],
  },
  {
    name: 'item shipped',
    path: deals => `/item-shipped/${deals.shipped.id}`,
    shows: ['Tracking Status', 'Last updated'],
  },
]
